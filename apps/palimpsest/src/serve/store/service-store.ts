import { type Message, markErrors, PalimpsestError, type StoredProjection } from '@palimpsest/core'
import { packName, unpackName } from '@palimpsest/lcm/store-kit'
import type { MeteredCall } from '../models/meter.ts'
import { type PaidTokens, type Purpose, paidTokens } from '../models/price-of.ts'
import type { ServiceDatabase, Sql, StoreFault } from './service-database.ts'

/** One conversation: what `/init` begins anew for a session. Earlier ones of the session stay stored. */
export interface ConversationRecord {
  /** Its number in the store. */
  readonly no: number
  readonly session: string
  /** From 1; the latest one of a session is the one that is talked to. */
  readonly epoch: number
  readonly repoName: string | undefined
  /** The system prompt of the last turn; empty before the first. */
  readonly system: string
  readonly turns: number
  /** How many are stored. */
  readonly messages: number
}

/** A turn that is acknowledged as soon as it is stored. */
export interface TurnRecord {
  readonly conversation: number
  /** From 1. */
  readonly turn: number
  readonly system: string
  /** The user's message, the calls of tools with their results, and the answer. */
  readonly messages: readonly Message[]
  /** The name that the caller gave the request, and a hash of what it asks. */
  readonly request: { readonly id: string; readonly hash: string } | undefined
  /** JSON text for the caller. */
  readonly response: string
  /** What the session keeps of its last compaction. Default: as before. */
  readonly projection?: StoredProjection | null | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The token of the lock that it was answered under. */
  readonly token: number
}

export interface CostRecord extends PaidTokens {
  readonly purpose: Purpose
  readonly model: string
  readonly calls: number
  readonly reasoningTokens: number
}

/** The name of a session's lock, apart from everything else in the database. */
export function sessionLockName(session: string): string {
  return `service:${session}`
}

/**
 * The name of a conversation for engines and their stores: the session's name, and `shop#2` for one that was begun anew,
 * which is another session to them. No caller's name has a `#` in it.
 */
export function engineKey({ session, epoch }: Pick<ConversationRecord, 'session' | 'epoch'>): string {
  return epoch === 1 ? session : `${session}#${epoch}`
}

/** Another worker has gone on with the session: a turn was not stored. `TURN_CONFLICT`. */
class TurnConflictError extends PalimpsestError {
  static override readonly isInstance = markErrors<TurnConflictError>(TurnConflictError, 'app.turn-conflict')

  constructor(reason: string) {
    super('TURN_CONFLICT', `the turn was not kept: ${reason}`)
  }
}

interface SessionRow extends Omit<ConversationRecord, 'repoName'> {
  readonly repo: string | null
}

const COLUMNS = 'no, name AS session, epoch, repo, system, turns, messages'

function toRecord({ session, repo, system, ...row }: SessionRow): ConversationRecord {
  const repoName = repo === null ? undefined : (JSON.parse(repo) as string)
  return { ...row, session: unpackName(session), repoName, system: JSON.parse(system) as string }
}

/**
 * The service's own record: sessions, their messages and what they cost. It is the truth about what was said; engines
 * keep theirs beside it. Every method is one transaction.
 */
export type ServiceStore = ReturnType<typeof createServiceStore>

export function createServiceStore(database: ServiceDatabase) {
  const { principal, forUpdate } = database

  const find = async (sql: Sql, session: string): Promise<ConversationRecord | undefined> => {
    const row = await sql.get<SessionRow>(
      `SELECT ${COLUMNS} FROM serve_session WHERE principal = $1 AND name = $2 ORDER BY epoch DESC LIMIT 1`,
      ...[principal, packName(session)],
    )
    return row && toRecord(row)
  }

  /** Reads a conversation for a writer. All other writers wait until the end of the transaction. */
  const lock = (sql: Sql, no: number) =>
    sql.get<Pick<SessionRow, 'session' | 'turns' | 'messages'>>(
      `SELECT name AS session, turns, messages FROM serve_session WHERE no = $1 ${forUpdate}`,
      no,
    )

  /** The same for a writer that has its session still. @throws TurnConflictError */
  const lockOwn = async (sql: Sql, { conversation, token }: Pick<TurnRecord, 'conversation' | 'token'>) => {
    const known = await lock(sql, conversation)
    const name = sessionLockName(unpackName(known?.session ?? ''))
    if (known !== undefined && !(await database.isHeld(sql, name, token)))
      throw new TurnConflictError('another worker has taken the session over; try again')
    return known
  }

  const begin = async (sql: Sql, session: string, repo: string | null, at: number, least: number) => {
    const latest = await find(sql, session)
    const epoch = latest?.turns === 0 ? latest.epoch : Math.max(least, (latest?.epoch ?? 0) + 1)
    return sql.get<SessionRow>(
      `INSERT INTO serve_session (principal, name, epoch, repo, system, turns, messages, created_at, last_at)
       VALUES ($1, $2, $3, $4, '""', 0, 0, $5, $5)
       ON CONFLICT (principal, name, epoch) DO UPDATE SET repo = excluded.repo, last_at = excluded.last_at
       WHERE serve_session.turns = 0 RETURNING ${COLUMNS}`,
      ...[principal, packName(session), epoch, repo, at],
    )
  }

  return {
    kind: database.kind,
    locks: database.locks,
    /** The latest conversation of a session. */
    find: (session: string) => database.read((sql) => find(sql, session)),
    /**
     * A new conversation, the latest one of its session. One without a turn is used again.
     *
     * @param least its epoch at least.
     */
    async begin(
      session: string,
      repoName: string | undefined,
      at: number,
      least = 1,
    ): Promise<ConversationRecord> {
      const repo = repoName === undefined ? null : JSON.stringify(repoName)
      for (;;) {
        const row = await database.write((sql) => begin(sql, session, repo, at, least))
        // Undefined: another worker began one a moment ago, which has a turn already.
        if (row !== undefined) return toRecord(row)
      }
    },
    /** All that there are, also those that others took the place of. */
    async conversations(): Promise<ConversationRecord[]> {
      const query = `SELECT ${COLUMNS} FROM serve_session WHERE principal = $1 ORDER BY no`
      return (await database.read((sql) => sql.all<SessionRow>(query, principal))).map(toRecord)
    },
    async messages(conversation: number): Promise<Message[]> {
      const query = 'SELECT json FROM serve_message WHERE session = $1 ORDER BY seq'
      const rows = await database.read((sql) => sql.all<{ json: string }>(query, conversation))
      return rows.map(({ json }) => JSON.parse(json) as Message)
    },
    /** The answer that was given to a named request. */
    findResponse: (conversation: number, id: string) =>
      database.read((sql) =>
        sql.get<{ readonly hash: string; readonly response: string }>(
          'SELECT hash, response FROM serve_request WHERE session = $1 AND id = $2',
          ...[conversation, id],
        ),
      ),
    /** @throws TurnConflictError when it does not follow on what is stored, or another worker has taken the session over. */
    commitTurn: (record: TurnRecord) =>
      database.write(async (sql) => {
        const { conversation, turn, system, messages, request, response, projection, at } = record
        const known = await lockOwn(sql, record)
        if (known?.turns !== turn - 1)
          throw new TurnConflictError(
            `turn ${turn} does not follow on the ${known?.turns} turns that are stored`,
          )
        for (const [index, message] of messages.entries())
          await sql.run(
            'INSERT INTO serve_message (session, seq, principal, json) VALUES ($1, $2, $3, $4)',
            ...[conversation, known.messages + index, principal, JSON.stringify(message)],
          )
        if (request !== undefined)
          await sql.run(
            'INSERT INTO serve_request (session, id, principal, hash, response) VALUES ($1, $2, $3, $4, $5)',
            ...[conversation, request.id, principal, request.hash, response],
          )
        if (projection !== undefined) await putProjection(sql, conversation, projection)
        await sql.run(
          'UPDATE serve_session SET system = $2, turns = $3, messages = messages + $4, last_at = $5 WHERE no = $1',
          ...[conversation, JSON.stringify(system), turn, messages.length, at],
        )
      }, record.conversation),
    /** What the session of a conversation kept of its last compaction. */
    async projection(conversation: number): Promise<StoredProjection | undefined> {
      const query = 'SELECT projection FROM serve_session WHERE no = $1'
      const row = await database.read((sql) => sql.get<{ projection: string | null }>(query, conversation))
      return row?.projection ? (JSON.parse(row.projection) as StoredProjection) : undefined
    },
    /** Keeps another one between two turns. @throws TurnConflictError when another worker has taken the session over. */
    keepProjection: (
      kept: Pick<TurnRecord, 'conversation' | 'token'> & { readonly projection: StoredProjection | null },
    ) =>
      database.write(async (sql) => {
        await lockOwn(sql, kept)
        await putProjection(sql, kept.conversation, kept.projection)
      }, kept.conversation),
    addCost: (conversation: number, { purpose, model, usage }: MeteredCall) =>
      database.write(async (sql) => {
        const paid = paidTokens(usage)
        await lock(sql, conversation)
        await sql.run(
          `INSERT INTO serve_cost (session, purpose, model, principal, calls, prompt, cached, written, written_long,
             completion, reasoning)
           VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10)
           ON CONFLICT (session, purpose, model) DO UPDATE SET calls = serve_cost.calls + 1,
             prompt = serve_cost.prompt + excluded.prompt, cached = serve_cost.cached + excluded.cached,
             written = serve_cost.written + excluded.written,
             written_long = serve_cost.written_long + excluded.written_long,
             completion = serve_cost.completion + excluded.completion,
             reasoning = serve_cost.reasoning + excluded.reasoning`,
          ...[conversation, purpose, model, principal, paid.promptTokens, paid.cachedTokens],
          ...[paid.writtenTokens, paid.writtenLongTokens, paid.completionTokens, usage?.reasoningTokens ?? 0],
        )
      }, conversation),
    /** Of one conversation, or of all that there are. */
    async costs(conversation?: number): Promise<CostRecord[]> {
      const rows = await database.read((sql) =>
        sql.all<CostRecord>(
          `SELECT purpose, model, CAST(sum(calls) AS bigint) AS calls, CAST(sum(prompt) AS bigint) AS "promptTokens",
             CAST(sum(cached) AS bigint) AS "cachedTokens", CAST(sum(written) AS bigint) AS "writtenTokens",
             CAST(sum(written_long) AS bigint) AS "writtenLongTokens",
             CAST(sum(completion) AS bigint) AS "completionTokens",
             CAST(sum(reasoning) AS bigint) AS "reasoningTokens"
           FROM serve_cost WHERE principal = $1 ${conversation === undefined ? '' : 'AND session = $2'}
           GROUP BY purpose, model ORDER BY purpose, model`,
          ...[principal, ...(conversation === undefined ? [] : [conversation])],
        ),
      )
      return rows.map((row) => ({ ...row }))
    },
    /** Rejects with the error of a store that cannot be used. */
    async check(): Promise<void> {
      await database.read((sql) => sql.get('SELECT count(*) FROM serve_session'))
    },
    /** Rows that are not what was stored, and conversations that miscount. Reads all of it. */
    async faults(): Promise<StoreFault[]> {
      const faults = await database.faults()
      if (faults.some(({ code }) => code === 'damaged-file')) return faults
      const miscounted = await database.read((sql) =>
        sql.all<{ name: string }>(
          `SELECT name FROM serve_session WHERE principal = $1
             AND messages <> (SELECT count(*) FROM serve_message WHERE session = no)`,
          principal,
        ),
      )
      const wrong = miscounted.map(({ name }) => ({
        code: 'wrong-count',
        message: `A conversation of the session "${unpackName(name)}" has not the messages that it counts.`,
      }))
      return [...faults, ...wrong]
    },
    close: () => database.close(),
  }
}

async function putProjection(sql: Sql, no: number, projection: StoredProjection | null): Promise<void> {
  const json = projection === null ? null : JSON.stringify(projection)
  await sql.run('UPDATE serve_session SET projection = $2 WHERE no = $1', no, json)
}
