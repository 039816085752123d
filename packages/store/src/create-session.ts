import {
  type AppendInput,
  type Candidate,
  type CandidateQuery,
  type CommitInput,
  type Forgetting,
  type Forgotten,
  type Frontier,
  type Head,
  type Job,
  type JobRequest,
  type MessageQuery,
  type NewJob,
  PROMPT_STATES,
  type RecordInput,
  type SeqRange,
  type SessionRef,
  type StoredEvent,
  type StoredMessage,
  type StoredSession,
  type Summary,
} from '@palimpsest/core'
import { checkFrontier, checkNewSummaries, cutFrontier } from './check-frontier.ts'
import type { Database, Sql } from './database.ts'
import { checkName, checkTime, checkTokens, StoreError, storeConflict } from './errors.ts'
import {
  checkSession,
  type EventRow,
  eventRow,
  type FrontierRow,
  frontierRow,
  idOf,
  insert,
  isWhole,
  type JobRow,
  jobRow,
  json,
  KEEP_KNOWN,
  type MessageRow,
  messageRow,
  numberOf,
  ROWS_PER_SESSION,
  type SessionRow,
  type StateRow,
  type SummaryRow,
  searchText,
  stateRow,
  summaryRow,
  type Table,
  toFrontier,
  toMessage,
  toSummary,
  withChecksum,
} from './rows.ts'
import { addToIndex, indexRows, matching, removeFromIndex } from './text-index.ts'

export function createSession(
  database: Database,
  { no, principal, key }: SessionRow,
  note: (ref: string) => void,
): StoredSession {
  return new DatabaseSession(database, no, principal, key, note)
}

export async function findSession(sql: Sql, principal: string, key: string): Promise<SessionRow | undefined> {
  const query = 'SELECT * FROM session WHERE principal = ? AND key = ?'
  const [row] = await sql.all<SessionRow>(query, [principal, key])
  return row
}

type NewSession = Pick<Head, 'nextSeq' | 'nextSummary' | 'version' | 'edits' | 'createdAt'> &
  Required<SessionRef> & { readonly lastAt: number }

export async function insertSession(sql: Sql, session: NewSession): Promise<boolean> {
  const { principal, key, createdAt, nextSeq, nextSummary, version, edits, lastAt } = session
  const row = withChecksum('session', {
    ...{ principal, key, created_at: createdAt, next_seq: nextSeq, next_summary: nextSummary, version },
    ...{ edits, last_at: lastAt },
  })
  return (await insert(sql, 'session', [row], KEEP_KNOWN)) > 0
}

async function readSession(sql: Sql, no: number, lock = ''): Promise<SessionRow> {
  const [row] = await sql.all<SessionRow>(`SELECT * FROM session WHERE no = ?${lock}`, [no])
  if (row === undefined) throw new StoreError('NOT_FOUND', 'the session was deleted; open it again')
  return checkSession(row)
}

const PAGE = 500

class DatabaseSession implements StoredSession {
  readonly principal: string
  readonly key: string
  readonly #database: Database
  readonly #no: number
  readonly #note: (ref: string) => void
  readonly #damaged = new Set<string>()

  constructor(database: Database, no: number, principal: string, key: string, note: (ref: string) => void) {
    this.#database = database
    this.#no = no
    this.principal = principal
    this.key = key
    this.#note = note
  }

  damaged(): readonly string[] {
    return [...this.#damaged]
  }

  #proves(table: Table, row: { readonly checksum: string }, ref: string): boolean {
    const isSound = isWhole(table, row)
    if (!isSound) {
      this.#damaged.add(ref)
      this.#note(ref)
    }
    return isSound
  }

  #noted<Read extends { readonly damaged?: true }>(read: Read, ref: string): Read {
    if (read.damaged) {
      this.#damaged.add(ref)
      this.#note(ref)
    }
    return read
  }

  readonly #toMessage = (row: MessageRow) => this.#noted(toMessage(row), `m${numberOf(row.id)}`)
  readonly #toSummary = (row: SummaryRow) => this.#noted(toSummary(row), `s${numberOf(row.id)}`)
  readonly #toFrontier = (row: FrontierRow) => this.#noted(toFrontier(row), `version ${numberOf(row.id)}`)

  head(): Promise<Head> {
    return this.#read(async (sql) => this.#headOf(sql, await readSession(sql, this.#no)))
  }

  async append(input: AppendInput): Promise<Head> {
    const { messages, replaceFrom: from, aside = false, jobs = [] } = input
    const at = checkTime('at', input.at)
    const rows = messages.map((message, index) => ({
      message,
      at: message.at === undefined ? at : checkTime(`messages[${index}].at`, message.at),
    }))
    const { principal } = this
    const entries = messages.map(({ message }, index) => ({
      ...{ id: this.#id(input.nextSeq + index), principal },
      text: searchText(message),
    }))
    const indexed = indexRows(this.#database, entries)
    const texts = indexed instanceof Promise ? await indexed : indexed
    return this.#write(async (sql, session) => {
      const { next_seq: first } = session
      if (input.nextSeq !== first)
        throw storeConflict(`${this.key} goes on at m${first}, not at m${input.nextSeq}`)
      let { version, edits } = session
      if (input.edits !== undefined && input.edits !== edits)
        throw storeConflict(`messages of ${this.key} were taken back ${edits} times, not ${input.edits}`)
      if (from !== undefined) {
        if (!(Number.isInteger(from) && from >= 0 && from <= first))
          throw new StoreError(
            'NOT_FOUND',
            `${this.key} has no message m${from} to replace from; its next one is m${first}`,
          )
        version++
        edits++
        await sql.run('UPDATE message SET replaced = ? WHERE id BETWEEN ? AND ? AND replaced IS NULL', [
          ...[version, this.#id(from), this.#id(first)],
        ])
        const summaries = await this.#cutFrontier(sql, session.version, from, rows.length > 0)
        await this.#setFrontier(sql, { version, reason: 'edit', nextSeq: first, at, summaries })
      }
      const next = this.#checkNumber(first + rows.length)
      const made = rows.map(({ message, at }, index) => ({
        ...messageRow({ principal, id: this.#id(first + index), at }, message),
        ...(aside && { replaced: version }),
      }))
      await insert(sql, 'message', made)
      await addToIndex(sql, 'message', texts)
      await this.#addJobs(sql, jobs)
      const last = rows.at(-1)?.at ?? session.last_at
      return this.#setHead(sql, { ...session, next_seq: next, version, edits, last_at: last })
    })
  }

  async #cutFrontier(sql: Sql, version: number, from: number, hasMore: boolean): Promise<number[]> {
    let end = from
    if (!hasMore) {
      const query = 'SELECT max(id) AS id FROM message WHERE id BETWEEN ? AND ? AND replaced IS NULL'
      const [row] = await sql.all<{ id: number | null }>(query, [this.#id(0), this.#id(from)])
      end = row?.id == null ? 0 : numberOf(row.id)
    }
    const [row] = await sql.all<FrontierRow>('SELECT * FROM frontier WHERE id = ?', [this.#id(version)])
    const shown = row === undefined ? [] : await this.#summaries(sql, this.#toFrontier(row).summaries)
    const kept = await cutFrontier(shown, end, (numbers) => this.#summaries(sql, numbers))
    return kept.map(({ number }) => number)
  }

  messages({
    first = 0,
    last = ROWS_PER_SESSION - 1,
    order = 'oldest',
    limit,
    includeReplaced = false,
  }: MessageQuery = {}): Promise<StoredMessage[]> {
    const live = includeReplaced ? '' : 'AND replaced IS NULL'
    return this.#read(async (sql) => {
      const rows = await sql.all<MessageRow>(
        `SELECT * FROM message WHERE id BETWEEN ? AND ? ${live} ORDER BY id ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT ?`,
        [this.#id(first), this.#id(last), limit ?? ROWS_PER_SESSION],
      )
      return rows.map(this.#toMessage)
    })
  }

  frontier(version?: number): Promise<Frontier> {
    return this.#read(async (sql) => {
      const wanted = version ?? (await readSession(sql, this.#no)).version
      const [row] = await sql.all<FrontierRow>('SELECT * FROM frontier WHERE id = ?', [this.#id(wanted)])
      if (row === undefined)
        throw new StoreError('NOT_FOUND', `${this.key} has no frontier version ${wanted}`)
      return this.#toFrontier(row)
    })
  }

  versions({
    before = ROWS_PER_SESSION,
    limit,
  }: {
    readonly before?: number
    readonly limit: number
  }): Promise<Frontier[]> {
    return this.#read(async (sql) => {
      const query = 'SELECT * FROM frontier WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?'
      const rows = await sql.all<FrontierRow>(query, [this.#id(0), this.#id(before), limit])
      return rows.map(this.#toFrontier)
    })
  }

  summaries(numbers: readonly number[]): Promise<Summary[]> {
    return this.#read((sql) => this.#summaries(sql, numbers))
  }

  async commit(input: CommitInput): Promise<Frontier> {
    const { create, summaries, reason } = input
    const at = checkTime('at', input.at)
    for (const [index, summary] of create.entries()) {
      for (const field of ['at', 'from', 'to'] as const)
        checkTime(`create[${index}].${field}`, summary[field])
      for (const field of ['tokens', 'sourceTokens'] as const)
        checkTokens(`create[${index}].${field}`, summary[field])
    }
    return this.#write(async (sql, session) => {
      this.#checkVersion(session, input.version)
      const next = this.#checkNumber(session.next_summary + create.length)
      const named = await this.#summaries(sql, [
        ...new Set([...summaries, ...create.flatMap(({ children }) => children)]),
      ])
      const known = new Map([...named, ...create].map((summary) => [summary.number, summary]))
      checkNewSummaries(create, session.next_summary, known)
      await checkFrontier(sql, this.#no, summaries, known)
      const rows = create.map((summary) => summaryRow(this.#no, this.principal, summary))
      await insert(sql, 'summary', rows)
      const { principal } = this
      const entries = create.map(({ number, text }) => ({ id: this.#id(number), principal, text }))
      await addToIndex(sql, 'summary', await indexRows(this.#database, entries))
      const frontier = {
        version: session.version + 1,
        reason,
        nextSeq: session.next_seq,
        at,
        summaries: [...summaries],
      }
      await this.#setFrontier(sql, frontier)
      await this.#setHead(sql, { ...session, next_summary: next, version: frontier.version })
      return frontier
    })
  }

  candidates(among: 'messages' | 'summaries', query: CandidateQuery): Promise<Candidate[]> {
    const {
      where,
      first = 0,
      last = ROWS_PER_SESSION - 1,
      order = 'oldest',
      limit,
      includeReplaced = false,
    } = query
    const table = among === 'messages' ? 'message' : 'summary'
    const { from, condition, values, id } = matching(this.#database, table, where)
    const conditions = [condition, `${id} BETWEEN ? AND ?`, 'entry.forgotten IS NULL'].filter(
      (one) => one !== undefined,
    )
    if (table === 'message' && !includeReplaced) conditions.push('entry.replaced IS NULL')
    const statement = `SELECT entry.* FROM ${from} WHERE ${conditions.join(' AND ')}
      ORDER BY ${id} ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT ?`
    return this.#read(async (sql) => {
      const rows = await sql.all<MessageRow & SummaryRow>(statement, [
        ...values,
        this.#id(first),
        this.#id(last),
        limit,
      ])
      return rows.map((row): Candidate => {
        if (table === 'message') {
          const { seq, role, at, message, replaced } = this.#toMessage(row)
          if (message === null) return { number: seq, role: '', at, text: '', replaced }
          return { number: seq, role, at, text: searchText(message), replaced }
        }
        const { number, at, text } = this.#toSummary(row)
        return { number, role: 'summary', at, text, replaced: false }
      })
    })
  }

  async forget({ first, last, at, reason }: SeqRange & Forgetting): Promise<Forgotten> {
    const why = json({ at: checkTime('at', at), reason })
    return this.#write(async (sql, session) => {
      const bounds = [this.#id(first), this.#id(last)]
      const messages = await sql.all<MessageRow>(
        'SELECT * FROM message WHERE id BETWEEN ? AND ? AND forgotten IS NULL',
        bounds,
      )
      for (const row of messages) {
        const { checksum } = withChecksum('message', { ...row, body: '', forgotten: why })
        const values = [why, checksum, row.id]
        await sql.run(`UPDATE message SET body = '', forgotten = ?, checksum = ? WHERE id = ?`, values)
        await removeFromIndex(this.#database, sql, 'message', row.id)
      }
      const covering = await sql.all<SummaryRow>(
        'SELECT * FROM summary WHERE id BETWEEN ? AND ? AND first <= ? AND last >= ? AND forgotten IS NULL ORDER BY id',
        [this.#id(0), this.#id(ROWS_PER_SESSION - 1), last, first],
      )
      for (const row of covering) {
        const forgotten = { at, reason }
        const gone = { ...toSummary(row), text: '', forgotten }
        const { body, checksum } = summaryRow(this.#no, this.principal, gone)
        const values = [body, why, checksum, row.id]
        await sql.run('UPDATE summary SET body = ?, forgotten = ?, checksum = ? WHERE id = ?', values)
        await removeFromIndex(this.#database, sql, 'summary', row.id)
      }
      await sql.run('DELETE FROM state WHERE session = ? AND name IN (?, ?)', [
        this.#no,
        PROMPT_STATES.session,
        PROMPT_STATES.engine,
      ])
      if (messages.length > 0 || covering.length > 0) {
        const [row] = await sql.all<FrontierRow>('SELECT * FROM frontier WHERE id = ?', [
          this.#id(session.version),
        ])
        const { summaries } = row === undefined ? { summaries: [] } : this.#toFrontier(row)
        const version = session.version + 1
        await this.#setFrontier(sql, { version, reason: 'forget', nextSeq: session.next_seq, at, summaries })
        await this.#setHead(sql, { ...session, version })
      }
      return { messages: messages.length, summaries: covering.map(({ id }) => numberOf(id)) }
    })
  }

  async events({
    scopes,
    after = 0,
  }: {
    readonly scopes: readonly string[]
    readonly after?: number
  }): Promise<StoredEvent[]> {
    if (scopes.length === 0) return []
    const marks = scopes.map(() => '?').join(', ')
    return this.#read(async (sql) => {
      const query = `SELECT * FROM event WHERE principal = ? AND scope IN (${marks}) AND seq > ? ORDER BY seq`
      const rows = await sql.all<EventRow>(query, [this.principal, ...scopes, after])
      return rows
        .filter((row) => this.#proves('event', row, `event ${row.seq}`))
        .map(({ seq, scope, id, body }) => ({ seq, scope, id, body: JSON.parse(body) }))
    })
  }

  async record({ scope, events, known, jobs = [], finished = [] }: RecordInput): Promise<void> {
    checkName('scope', scope)
    return this.#write(async (sql) => {
      await this.#database.lockEvents(sql, this.principal)
      if (known !== undefined) {
        const query = 'SELECT seq FROM event WHERE principal = ? AND scope = ? AND seq > ? LIMIT 1'
        const [later] = await sql.all(query, [this.principal, scope, known])
        if (later !== undefined) throw storeConflict(`${scope} has events after ${known}`)
      }
      const rows = events.map((event) => eventRow(this.principal, scope, event))
      await insert(sql, 'event', rows, KEEP_KNOWN)
      await this.#addJobs(sql, jobs)
      for (const id of finished)
        await sql.run('UPDATE job SET done = 1, holder = NULL WHERE session = ? AND id = ?', [this.#no, id])
    })
  }

  jobs(): Promise<Job[]> {
    return this.#read(async (sql) => {
      const rows = await sql.all<JobRow>('SELECT * FROM job WHERE session = ? AND done = 0 ORDER BY no', [
        this.#no,
      ])
      return rows
        .filter((row) => this.#proves('job', row, `job ${row.no}`))
        .map(({ id, kind, body, attempts }) => ({ id, kind, body: JSON.parse(body), attempts }))
    })
  }

  async takeJob(id: string, { holder, now, ttl }: JobRequest): Promise<boolean> {
    checkTime('now', now)
    checkTime('ttl', now + ttl)
    return this.#write(async (sql) => {
      const at = await this.#database.now(sql, now)
      const changed = await sql.run(
        `UPDATE job SET holder = ?, until = ?, attempts = attempts + 1
         WHERE session = ? AND id = ? AND done = 0 AND (holder IS NULL OR holder = ? OR until <= ?)`,
        [holder, at + ttl, this.#no, id, holder, at],
      )
      return changed > 0
    })
  }

  releaseJob(id: string, holder: string): Promise<void> {
    return this.#write(async (sql) => {
      await sql.run(
        'UPDATE job SET holder = NULL, until = 0, attempts = attempts - 1 WHERE session = ? AND id = ? AND holder = ?',
        [this.#no, id, holder],
      )
    })
  }

  state(name: string): Promise<unknown> {
    return this.#read(async (sql) => {
      const query = 'SELECT * FROM state WHERE session = ? AND name = ?'
      const [row] = await sql.all<StateRow>(query, [this.#no, name])
      const isThere = row !== undefined && this.#proves('state', row, `state ${name}`)
      return isThere ? JSON.parse(row.body) : null
    })
  }

  async saveState(name: string, value: unknown): Promise<void> {
    const row = stateRow(this.#no, this.principal, name, value)
    const replace =
      'ON CONFLICT (session, name) DO UPDATE SET body = excluded.body, checksum = excluded.checksum'
    return this.#write(async (sql) => {
      await insert(sql, 'state', [row], replace)
    })
  }

  #id(number: number): number {
    return idOf(this.#no, Math.max(0, Math.min(number, ROWS_PER_SESSION - 1)))
  }

  #read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#database.read(work, this.principal)
  }

  #write<T>(work: (sql: Sql, session: SessionRow) => Promise<T>): Promise<T> {
    const run = async (sql: Sql) => work(sql, await readSession(sql, this.#no, this.#database.lock))
    return this.#database.write(run, this.principal, this.#no)
  }

  #checkVersion({ version }: SessionRow, known: number): void {
    if (known !== version)
      throw storeConflict(`the frontier of ${this.key} is at version ${version}, not ${known}`)
  }

  #checkNumber(next: number): number {
    if (next < ROWS_PER_SESSION - 1) return next
    throw new StoreError(
      'STORE_UNAVAILABLE',
      `${this.key} holds ${ROWS_PER_SESSION} rows; begin another session`,
    )
  }

  async #headOf(sql: Sql, { next_seq, next_summary, version, edits, created_at }: SessionRow): Promise<Head> {
    const runs = await sql.all<SeqRange>(
      `SELECT min(id) AS first, max(id) AS last FROM (
         SELECT id, id - row_number() OVER (ORDER BY id) AS run FROM message WHERE id BETWEEN ? AND ? AND replaced IS NOT NULL
       ) AS replaced GROUP BY run ORDER BY first`,
      [this.#id(0), this.#id(next_seq)],
    )
    const replaced = runs.map(({ first, last }) => ({ first: numberOf(first), last: numberOf(last) }))
    return { nextSeq: next_seq, nextSummary: next_summary, version, edits, replaced, createdAt: created_at }
  }

  async #setHead(sql: Sql, session: SessionRow): Promise<Head> {
    const { next_seq, next_summary, version, edits, last_at } = session
    const { checksum } = withChecksum('session', session)
    await sql.run(
      'UPDATE session SET next_seq = ?, next_summary = ?, version = ?, edits = ?, checksum = ?, last_at = ? WHERE no = ?',
      [next_seq, next_summary, version, edits, checksum, last_at, this.#no],
    )
    return this.#headOf(sql, session)
  }

  async #setFrontier(sql: Sql, frontier: Frontier): Promise<void> {
    await insert(sql, 'frontier', [frontierRow(this.#no, this.principal, frontier)])
  }

  async #summaries(sql: Sql, numbers: readonly number[]): Promise<Summary[]> {
    const found = new Map<number, Summary>()
    for (let start = 0; start < numbers.length; start += PAGE) {
      const ids = numbers.slice(start, start + PAGE).map((number) => this.#id(number))
      const marks = ids.map(() => '?').join(', ')
      for (const row of await sql.all<SummaryRow>(`SELECT * FROM summary WHERE id IN (${marks})`, ids))
        found.set(numberOf(row.id), this.#toSummary(row))
    }
    return numbers.flatMap((number) => found.get(number) ?? [])
  }

  async #addJobs(sql: Sql, jobs: readonly NewJob[]): Promise<void> {
    const rows = jobs.map((job) => jobRow(this.#no, this.principal, job))
    await insert(sql, 'job', rows, KEEP_KNOWN)
  }
}
