import { createHash } from 'node:crypto'
import { errorText, type Message, PalimpsestError } from '@palimpsest/core'
import { StoreConflictError, StoreError } from '../errors/store-error.ts'
import { cutFrontier } from '../history/frontier-history.ts'
import { countLive, rangesBefore } from '../history/replaced-ranges.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import { hashSummary } from '../store/hash-summary.ts'
import type { EncodedMessage, LcmSession, SeqRange, SessionHead, SummaryNode } from '../store/lcm-session.ts'
import type { LcmStore } from '../store/lcm-store.ts'
import { EXPORT_HEADER, type ExportLine, type LineOf, messageLines } from './export-store.ts'

export interface Imported {
  /** Sessions of the export, new or known. */
  readonly sessions: number
  /** Messages that the store did not have. */
  readonly messages: number
}

/**
 * Writes the sessions of an export into a store, as it is read: after an interruption the next call continues, and a whole import
 * changes nothing the second time. A session that is there already must be the beginning of the exported one, or its
 * continuation; content that was forgotten at one end stays as it is at each.
 *
 * @param lines Without newlines.
 * @throws StoreError `INVALID_EXPORT`, with the number of the line: what came before it is written, each message and summary
 * proved by its own hash; StoreConflictError when another session of that name is there.
 */
export async function importStore(store: LcmStore, lines: AsyncIterable<string>): Promise<Imported> {
  const digest = createHash('sha256')
  const counts = { sessions: 0, messages: 0 }
  let added = 0
  let number = 0
  let end: LineOf<'end'> | undefined
  let current: SessionImport | undefined
  const finish = async () => {
    added += (await current?.end()) ?? 0
    current = undefined
  }

  for await (const text of lines) {
    number++
    try {
      if (end !== undefined) throw invalidExport('something comes behind the last line')
      if (number === 1) checkHeader(text)
      else {
        const line = readLine(text)
        if (line.type === 'end') {
          await finish()
          end = line
          checkEnd(end, counts, digest.digest('hex'))
          continue
        }
        if (line.type === 'session') {
          await finish()
          counts.sessions++
          const session = await store.session(line, line.createdAt)
          current = new SessionImport(session, line, await session.head())
        } else if (current === undefined) throw invalidExport(`a ${line.type} comes before its session`)
        else await current.take(line)
        if (line.type === 'message') counts.messages++
      }
    } catch (error) {
      const isOfLine = StoreError.isInstance(error) ? error.code === 'INVALID_EXPORT' : isWrongValue(error)
      if (!isOfLine) throw error
      throw new StoreError('INVALID_EXPORT', `line ${number}: ${errorText(error)}`, { cause: error })
    }
    digest.update(`${text}\n`)
  }
  if (end === undefined) throw invalidExport(`it ends behind line ${number}, without its last line`)
  return { sessions: counts.sessions, messages: added }
}

/** The error for an export that is incomplete, damaged, or from another version. */
function invalidExport(reason: string, cause?: unknown): StoreError {
  return new StoreError('INVALID_EXPORT', `the export cannot be read: ${reason}`, { cause })
}

/** A member of a line is missing, or a store takes no such value. */
function isWrongValue(error: unknown): boolean {
  return error instanceof TypeError || (PalimpsestError.isInstance(error) && error.code === 'INVALID_OPTION')
}

function checkHeader(text: string): void {
  const header = parseJson(text) as Partial<Record<keyof typeof EXPORT_HEADER, unknown>> | null
  if (header?.format !== EXPORT_HEADER.format) throw invalidExport('this is no export of a store')
  if (header.version !== EXPORT_HEADER.version)
    throw invalidExport(`version ${header.version} of the format is not known; update this package`)
}

const TYPES: readonly unknown[] = ['session', 'message', 'summary', 'end'] satisfies ExportLine['type'][]

/** What the line says is proved by the hashes of messages and summaries, by the store, and by the last line. */
function readLine(text: string): ExportLine {
  const line = parseJson(text) as ExportLine | null
  if (!TYPES.includes(line?.type)) throw invalidExport('it is no line of an export')
  return line as ExportLine
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalidExport('it is no JSON', cause)
  }
}

function checkEnd(
  { sessions, messages, sha256 }: LineOf<'end'>,
  counts: { readonly sessions: number; readonly messages: number },
  found: string,
): void {
  if (sessions !== counts.sessions || messages !== counts.messages)
    throw invalidExport('lines are missing or were added')
  if (sha256 !== found) throw invalidExport('a line before it was changed')
}

/** Rows that are written or compared at once, and characters of the messages among them. */
const BATCH_ROWS = 100
const BATCH_CHARACTERS = 4_000_000

/**
 * Writes one session from its lines, as `importStore` does. Returns how many messages were added.
 *
 * @throws StoreError `INVALID_EXPORT`; StoreConflictError when another session of that name is there.
 */
export async function importSession(
  store: LcmStore,
  line: LineOf<'session'>,
  rows: AsyncIterable<LineOf<'message' | 'summary'>>,
): Promise<number> {
  const session = await store.session(line, line.createdAt)
  const imported = new SessionImport(session, line, await session.head())
  for await (const row of rows) await imported.take(row)
  return imported.end()
}

/** One session on its way into a store. */
class SessionImport {
  readonly #session: LcmSession
  readonly #line: LineOf<'session'>
  readonly #ranges: SeqRange[]
  /** As it was before the import; its numbers tell what is there already. */
  readonly #known: SessionHead
  #version: number
  #seq = 0
  #summary = 1
  #messages: EncodedMessage[] = []
  #characters = 0
  #nodes: SummaryNode[] = []
  #added = 0

  constructor(session: LcmSession, line: LineOf<'session'>, head: SessionHead) {
    this.#session = session
    this.#line = line
    this.#ranges = [...line.replaced]
    this.#known = head
    this.#version = head.version
  }

  async take(line: LineOf<'message' | 'summary'>): Promise<void> {
    if (line.type === 'message') await this.#takeMessage(line)
    else await this.#takeSummary(line)
  }

  /** Writes the rest, and puts the summaries in force. Returns how many messages were added. */
  async end(): Promise<number> {
    const { key, nextSeq, nextSummary, frontier } = this.#line
    if (this.#seq !== nextSeq || this.#summary !== nextSummary)
      throw invalidExport(`the session ${key} is incomplete`)
    await this.#writeMessages()
    const { nodes } = await this.#session.frontier()
    const goesOn = this.#known.nextSeq > nextSeq || this.#known.nextSummary > nextSummary
    if (!goesOn && nodes.map(({ number }) => number).join() !== frontier.join()) {
      if (nodes.length > 0) throw this.#conflict()
      await this.#commit(frontier)
    } else await this.#commit()
    return this.#added
  }

  async #takeMessage(line: LineOf<'message'>): Promise<void> {
    if (line.seq !== this.#seq || line.seq >= this.#line.nextSeq || this.#summary > 1)
      throw invalidExport(`m${line.seq} is not in its place`)
    this.#seq++
    this.#messages.push(toEncoded(line))
    this.#characters += line.json.length
    const isFull = this.#messages.length === BATCH_ROWS || this.#characters >= BATCH_CHARACTERS
    const range = this.#ranges[0]
    if (isFull || range?.last === line.seq) await this.#writeMessages()
    if (range?.last !== line.seq) return
    this.#ranges.shift()
    await this.#replace(range)
  }

  /** The messages of a batch that are there must be the same; the others are written. */
  async #writeMessages(): Promise<void> {
    const batch = this.#messages
    this.#messages = []
    this.#characters = 0
    const first = this.#seq - batch.length
    const known = Math.max(0, Math.min(batch.length, this.#known.nextSeq - first))
    if (known > 0) {
      const query = { first, last: first + known - 1, limit: known, includeReplaced: true }
      const stored = await this.#session.messages(query)
      const isSame = stored.every(
        ({ hash, at }, index) => hash === batch[index]?.hash && at === batch[index].at,
      )
      if (stored.length < known || !isSame) throw this.#conflict()
    }
    const fresh = batch.slice(known)
    if (fresh.length === 0) return
    const at = fresh.at(-1)?.at ?? this.#line.createdAt
    const input = { nextSeq: first + known, version: this.#version, messages: fresh, at }
    await this.#session.append(input)
    this.#added += fresh.length
  }

  /** An edit took back the messages of a range, the last of which was just written. */
  async #replace({ first, last }: { readonly first: number; readonly last: number }): Promise<void> {
    const { nextSeq, replaced } = this.#known
    if (nextSeq > last && countLive(replaced, first, last) === 0) return
    if (nextSeq > last + 1) throw this.#conflict()
    const replace = { from: first, summaries: [] }
    const at = this.#line.createdAt
    const input = { nextSeq: last + 1, version: this.#version, messages: [], at, replace }
    this.#version = await this.#session.append(input).then(({ version }) => version)
  }

  async #takeSummary({ type: _, ...node }: LineOf<'summary'>): Promise<void> {
    const isComplete = this.#seq === this.#line.nextSeq
    if (node.number !== this.#summary || node.number >= this.#line.nextSummary || !isComplete)
      throw invalidExport(`s${node.number} is not in its place`)
    if (node.forgotten === undefined && hashSummary(node) !== node.hash)
      throw invalidExport(`s${node.number} is not what its hash says`)
    if (this.#summary === 1) await this.#writeMessages()
    this.#summary++
    if (node.number < this.#known.nextSummary) {
      const [stored] = await this.#session.summaries([node.number])
      if (stored?.hash !== node.hash) throw this.#conflict()
      return
    }
    this.#nodes.push(node.forgotten === undefined ? node : { ...node, text: '' })
    if (this.#nodes.length === BATCH_ROWS) await this.#commit()
  }

  /** Writes summaries. Without a frontier the one that is there stays. */
  async #commit(frontier?: readonly number[]): Promise<void> {
    if (frontier === undefined && this.#nodes.length === 0) return
    const create = this.#nodes
    this.#nodes = []
    const kept = (await this.#session.frontier()).nodes.map(({ number }) => number)
    const at = create.at(-1)?.at ?? this.#line.createdAt
    const summaries = frontier ?? kept
    const reason = 'compaction'
    const { version } = await this.#session.commit({ version: this.#version, create, summaries, reason, at })
    this.#version = version
  }

  #conflict(): StoreConflictError {
    const { key } = this.#line
    return new StoreConflictError(
      `there is a session ${key} already with something else in it; import into another store`,
    )
  }
}

/** A message as a store writes it down. @throws StoreError `INVALID_EXPORT` when it is not what its hash says. */
function toEncoded({
  type: _,
  seq,
  role,
  hostId,
  ...row
}: LineOf<'message'>): EncodedMessage & { at: number } {
  const { at, tokens, hash, json, forgotten } = row
  if (forgotten !== undefined) {
    const empty = { json: '', text: '' }
    return { role, ...(hostId !== undefined && { hostId }), ...empty, hash, tokens, at, forgotten }
  }
  try {
    const encoded = encodeMessage(JSON.parse(json) as Message, tokens)
    if (encoded.hash === hash && encoded.role === role) return { ...encoded, at }
  } catch (cause) {
    throw invalidExport(`m${seq} is no message`, cause)
  }
  throw invalidExport(`m${seq} is not what its hash says`)
}

/**
 * Makes a session of the same owner that begins with copies of everything before message `seq` and of the summaries of it, so
 * that another branch of a conversation need not be summarised again. A session of that key that was copied in part is completed.
 *
 * @param input `at`: when, in milliseconds since the epoch.
 * @throws StoreConflictError when the key is taken by something else.
 */
export async function copyBeginning(
  store: LcmStore,
  session: LcmSession,
  { key, seq, at }: { readonly key: string; readonly seq: number; readonly at: number },
): Promise<LcmSession> {
  const { principal } = session
  const { replaced } = await session.head()
  const frontier = await cutFrontier(session, (await session.frontier()).nodes, seq)
  const nodes = await withSources(session, frontier)
  // Numbers without a gap: what was written later, or undone, is not copied.
  const numbers = new Map(nodes.map(({ number }, index) => [number, index + 1]))
  const numberOf = (number: number) => numbers.get(number) ?? 0
  const line = {
    ...{ type: 'session' as const, principal, key, createdAt: at, nextSeq: seq },
    ...{ nextSummary: nodes.length + 1, replaced: [...rangesBefore(replaced, seq)] },
    frontier: frontier.map(numberOf),
  }
  await importSession(
    store,
    line,
    (async function* () {
      yield* messageLines(session, seq)
      for (const { number, ...node } of nodes) {
        const moved = { ...node, children: node.children.map(numberOf) }
        yield { type: 'summary' as const, ...moved, number: numberOf(number), hash: hashSummary(moved) }
      }
    })(),
  )
  return store.session({ principal, key }, at)
}

/** Summaries and all that they condense, in the order of their numbers. */
async function withSources(session: LcmSession, numbers: readonly number[]): Promise<SummaryNode[]> {
  if (numbers.length === 0) return []
  const nodes = await session.summaries(numbers)
  const sources = await withSources(
    session,
    nodes.flatMap(({ children }) => children),
  )
  return [...nodes, ...sources].sort((one, other) => one.number - other.number)
}
