import { createSerialQueue, type Message, type Warning } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionEvent, Finder, SaidEvent } from '../log/decision-event.ts'
import { textsToCompare } from '../resolve/find-neighbours.ts'
import { type ResolveContext, type Resolved, resolveCandidates } from '../resolve/resolve-candidates.ts'
import type { DecisionBatch, DecisionSession } from '../store/decision-store.ts'
import { checkEvents } from '../verify/check-events.ts'
import type { Embedder } from './embedder.ts'
import type { ExtractionJobs } from './extraction-jobs.ts'
import type { OpenedSession } from './open-session.ts'
import { BEGINNING, type ReadingState, readNewMessages } from './read-new-messages.ts'
import {
  afterWithdrawal,
  countKnown,
  finder,
  type MessageAt,
  readSessionRecord,
  refreshRecord,
  type SessionRecord,
  said,
  takeBack,
  withdrawal,
  withoutStale,
} from './session-record.ts'
import { firstWorthReading } from './worth-reading.ts'

export interface RecorderInput {
  readonly opened: OpenedSession
  readonly project: string | undefined
  readonly now: () => number
  readonly embedder: Embedder | undefined
  /** Work for a model that new messages make; undefined without a model. */
  readonly jobs: ExtractionJobs | undefined
}

/** The origin of what is added to the log, and the messages that it refers to besides those that were recorded last. */
export interface Addition {
  readonly by: Finder
  readonly texts?: readonly SourceMessage[]
  /** See `ResolveContext`. */
  readonly compare?: 'similar' | 'category'
  /** Jobs that are done by this: with the events, or not at all. */
  readonly finished?: readonly string[]
}

/** Messages of the transcript that begin at an index. */
interface TranscriptPart {
  readonly messages: readonly Message[]
  readonly from: number
  /** The turn has ended. */
  readonly isComplete: boolean
  /** The first message of those that came with them that is worth reading, see `firstWorthReading`. */
  readonly worthFrom: number
}

/** Keeps the record of one session: what it has in memory is what its store has. Changes are made one at a time. */
export class DecisionRecorder {
  /** Events whose text had no source, and were rejected. */
  rejected = 0
  #givenUp: number[] = []
  readonly #input: RecorderInput
  readonly #enqueue = createSerialQueue()
  #current: SessionRecord | undefined
  #last: SessionRecord | undefined
  /** The messages that were recorded last, and what the next one may refer to. */
  #recent: readonly SourceMessage[] = []
  #reading: { readonly state: ReadingState; readonly at: number } | undefined

  constructor(input: RecorderInput) {
    this.#input = input
  }

  /** The record; undefined before the first use, and after a write that failed. */
  get current(): SessionRecord | undefined {
    return this.#current
  }

  /** The record, or the last one while the store cannot be used. */
  get shown(): SessionRecord | undefined {
    return this.#current ?? this.#last
  }

  load(): Promise<SessionRecord> {
    return this.#enqueue(() => this.#load())
  }

  /**
   * Takes messages of the transcript that begin at an index; what stood there before and differs is taken back. All that
   * they say is in the store when the promise resolves. `isComplete`: the turn has ended.
   */
  record(messages: readonly Message[], from: number, isComplete = false): Promise<void> {
    const part = { messages, from, isComplete, worthFrom: from + firstWorthReading(messages) }
    return this.#enqueue(() => (messages.length > PORTION ? this.#recordHistory(part) : this.#record(part)))
  }

  /** The context in which candidates would be resolved now. */
  context(addition: Addition): Promise<ResolveContext> {
    return this.#enqueue(async () => this.#contextFor(await this.#load(), addition))
  }

  /** The messages since the last call whose reading took too long, each once. */
  takeWarnings(): readonly Warning[] {
    return this.#givenUp.splice(0).map((index) => ({
      code: 'reading-given-up',
      message: `the rules did not read message ${index} to its end in time; no decision is taken from it`,
    }))
  }

  /** Puts candidates into the log. Jobs are done by that when nothing stays unclear. */
  resolve(candidates: readonly Candidate[], addition: Addition): Promise<Resolved> {
    return this.#enqueue(() => this.#add((context) => resolveCandidates(candidates, context), addition))
  }

  /** Puts events into the log, which are made of what is known by then. */
  add(
    make: (context: ResolveContext) => readonly SaidEvent[],
    addition: Addition,
  ): Promise<readonly SaidEvent[]> {
    return this.#enqueue(async () => {
      const { events } = await this.#add((context) => ({ events: make(context), residue: [] }), addition)
      return events
    })
  }

  commit(batch: DecisionBatch): Promise<void> {
    const { opened, now } = this.#input
    return this.#enqueue(async () => (await opened.open()).commit(batch, now()))
  }

  /** Forgets what is in memory: the next use reads the store. */
  forget(): void {
    this.#distrust()
    this.#last = undefined
  }

  /** The next use reads the store. */
  #distrust(): void {
    this.#last = this.#current ?? this.#last
    this.#current = undefined
    this.#reading = undefined
    this.#recent = []
  }

  async #load(): Promise<SessionRecord> {
    const session = await this.#input.opened.open()
    // Other sessions of the project, or an import, may have added to it.
    if (this.#current !== undefined && !(await refreshRecord(session, this.#current))) this.#distrust()
    this.#current ??= await readSessionRecord(session, this.#input.project)
    return this.#current
  }

  /** A long history comes in portions, so that it holds up nothing else. Of what is known, the last turn is in the first one. */
  async #recordHistory(history: TranscriptPart): Promise<void> {
    const { messages, from } = history
    const known = await countKnown(await this.#load(), messages, from)
    const asked = messages.slice(0, known).findLastIndex(({ role }) => role === 'user')
    for (let begin = Math.max(0, asked), end = known; begin < messages.length; begin = end) {
      end = Math.min(messages.length, end + PORTION)
      const isComplete = history.isComplete && end === messages.length
      const part = messages.slice(begin, end)
      await this.#record({ ...history, messages: part, from: from + begin, isComplete })
    }
  }

  async #record({ messages, from, isComplete, worthFrom }: TranscriptPart): Promise<void> {
    const record = await this.#load()
    const newFrom = from + (await countKnown(record, messages, from))
    const isOver = newFrom < record.messages.length
    // An answer that was recorded at the end of its turn comes again with the host's next list.
    const start = this.#reading?.at === newFrom ? newFrom : from
    const state =
      this.#reading?.at === start ? this.#reading.state : await stateBefore(record, from, this.#input.opened)
    const places = { from: start, newFrom, worthFrom }
    const read = await readNewMessages(messages.slice(start - from), { ...places, state })
    const { sources, candidates, touches: artifacts } = read
    this.#givenUp.push(...read.givenUp)
    const jobs = (await this.#input.jobs?.next(record, { keep: newFrom, added: sources, isComplete })) ?? []
    const next = { state: read.state, at: from + messages.length }
    if (sources.length === 0 && !isOver && jobs.length === 0) {
      this.#reading = next
      return
    }

    await this.#prepareVectors(record, candidates)
    const near = [...said(read.state, record), ...said(state, record), ...sources]
    const messageAt = finder(near)
    const gone = isOver ? withdrawal(record, newFrom, this.#input.now()) : undefined
    const left = gone ? afterWithdrawal(record, gone) : record
    const { events } = resolveCandidates(candidates, this.#contextOf(left, 'rules', messageAt))
    const batch = { ...(gone && { replaceFrom: gone.from }), sources, artifacts, jobs }
    await this.#write(record, [...(gone ? [gone] : []), ...events], messageAt, batch)

    if (gone) takeBack(record, gone)
    for (const source of sources) record.messages.push(source)
    record.touched.add(artifacts)
    record.batchEnds.push(...jobs.map(({ to }) => to))
    this.#recent = near
    this.#reading = next
  }

  /** Findings of rules are compared before the turn goes on: it is not waited for long. */
  async #prepareVectors(record: SessionRecord, candidates: readonly Candidate[]): Promise<void> {
    const { embedder } = this.#input
    if (!embedder || candidates.length === 0) return
    const context = this.#contextOf(record, 'rules', finder([]))
    await embedder.prepare(textsToCompare(candidates, context), { limitMs: EMBED_LIMIT_MS })
  }

  async #add(make: (context: ResolveContext) => Resolved, addition: Addition): Promise<Resolved> {
    const record = await this.#load()
    const context = this.#contextFor(record, addition)
    const made = make(context)
    const { finished } = addition
    const batch = finished !== undefined && made.residue.length === 0 ? { finished } : {}
    await this.#write(record, made.events, context.messageAt, batch)
    return made
  }

  #contextFor(record: SessionRecord, { by, texts = [], compare }: Addition): ResolveContext {
    const messageAt = withoutStale(finder([...this.#recent, ...texts]), texts, record)
    return { ...this.#contextOf(record, by, messageAt), ...(compare && { compare }) }
  }

  #contextOf(
    { ledger, scope, session, edition }: SessionRecord,
    by: Finder,
    messageAt: MessageAt,
  ): ResolveContext {
    const { embedder, now } = this.#input
    const similarity = embedder && { similarity: embedder.similarity }
    return { ledger, scope, session, edition, at: now(), by, messageAt, ...similarity }
  }

  /** Checks events, writes them to the store, and only then to the ledger. Text without a source is rejected. */
  async #write(
    { ledger, scope, seq, session }: SessionRecord,
    events: readonly DecisionEvent[],
    messageAt: MessageAt,
    batch: DecisionBatch,
  ): Promise<void> {
    const stored = await this.#input.opened.open()
    const older = finder(await olderSources(stored, events, messageAt, session))
    const sound = checkEvents(events, (index) => messageAt(index) ?? older(index)).events
    if (sound.length > 0 || Object.keys(batch).length > 0)
      await this.#commit({ ...batch, known: { scope, seq }, events: sound })
    ledger.append(sound)
    this.rejected += events.length - sound.length
  }

  async #commit(batch: DecisionBatch): Promise<void> {
    try {
      await (await this.#input.opened.open()).commit(batch, this.#input.now())
    } catch (error) {
      // It may have been written or not: the store knows.
      this.#distrust()
      throw error
    }
  }
}

/** The messages of this session that events refer to and that were recorded long ago. */
async function olderSources(
  stored: DecisionSession,
  events: readonly DecisionEvent[],
  messageAt: MessageAt,
  session: string,
): Promise<readonly SourceMessage[]> {
  const older: SourceMessage[] = []
  for (const event of events) {
    if (event.type === 'withdrawn' || event.source.session !== session) continue
    const { message } = event.source
    if (messageAt(message) === undefined)
      older.push(...(await stored.sources({ from: message, to: message + 1 })))
  }
  return older
}

/** The words before an index that later messages may refer to, from the store. */
async function stateBefore(
  record: SessionRecord,
  from: number,
  opened: OpenedSession,
): Promise<ReadingState> {
  if (from === 0) return BEGINNING
  const session = await opened.open()
  const before = await session.sources({ from: Math.max(0, from - LOOK_BACK), to: from })
  const last = before.findLast(({ role, text }) => role === 'assistant' && text.trim() !== '')
  // A message before the first one of the user belongs to its turn, and is none.
  let first = 0
  while (first < from && record.messages.at(first)?.role !== 'user') first++
  const turn = first < from ? (record.messages.at(from - 1)?.turn ?? 0) : 0
  return { turn, ...(last && { said: { index: last.message, text: last.text } }) }
}

/** Messages that are written to the store at once. */
const PORTION = 200

/** Longest wait of a turn for the vectors of what it says, in milliseconds. */
const EMBED_LIMIT_MS = 2_000

/** Messages that are searched for the one that a user's answer refers to. */
const LOOK_BACK = 50
