import { createSerialQueue, type Message } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionEvent, Finder, SaidEvent } from '../log/decision-event.ts'
import { textsToCompare } from '../resolve/find-neighbours.ts'
import { type ResolveContext, type Resolved, resolveCandidates } from '../resolve/resolve-candidates.ts'
import type { DecisionBatch } from '../store/decision-store.ts'
import { checkEvents } from '../verify/check-events.ts'
import type { Embedder } from './embedder.ts'
import type { ExtractionJobs } from './extraction-jobs.ts'
import { finder, type MessageAt, said, withoutStale } from './message-finder.ts'
import type { OpenedSession } from './open-session.ts'
import { BEGINNING, type ReadingState, readNewMessages } from './read-new-messages.ts'
import {
  afterWithdrawal,
  countKnown,
  readSessionRecord,
  refreshRecord,
  type SessionRecord,
  takeBack,
  withdrawal,
} from './session-record.ts'

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

/** Keeps the record of one session: what it has in memory is what its store has. Changes are made one at a time. */
export interface DecisionRecorder {
  /** The record; undefined before the first use, and after a write that failed. */
  readonly current: SessionRecord | undefined
  /** The record, or the last one while the store cannot be used. */
  readonly shown: SessionRecord | undefined
  load(): Promise<SessionRecord>
  /**
   * Takes messages of the transcript that begin at an index; what stood there before and differs is taken back. All that
   * they say is in the store when the promise resolves. `isComplete`: the turn has ended.
   */
  record(messages: readonly Message[], from: number, isComplete?: boolean): Promise<void>
  /** The context in which candidates would be resolved now. */
  context(addition: Addition): Promise<ResolveContext>
  /** Puts candidates into the log. Jobs are done by that when nothing stays unclear. */
  resolve(candidates: readonly Candidate[], addition: Addition): Promise<Resolved>
  /** Puts events into the log, which are made of what is known by then. */
  add(
    make: (context: ResolveContext) => readonly SaidEvent[],
    addition: Addition,
  ): Promise<readonly SaidEvent[]>
  commit(batch: DecisionBatch): Promise<void>
  /** Events whose text had no source, and were rejected. */
  readonly rejected: number
  /** Forgets what is in memory: the next use reads the store. */
  forget(): void
}

export function createDecisionRecorder(input: RecorderInput): DecisionRecorder {
  const { opened, now, embedder } = input
  const enqueue = createSerialQueue()
  let current: SessionRecord | undefined
  let last: SessionRecord | undefined
  let rejected = 0
  /** The messages that were recorded last, and what the next one may refer to. */
  let recent: readonly SourceMessage[] = []
  let reading: { readonly state: ReadingState; readonly at: number } | undefined

  /** The next use reads the store. */
  const distrust = (): void => {
    last = current ?? last
    current = undefined
    reading = undefined
    recent = []
  }

  const load = async (): Promise<SessionRecord> => {
    const session = await opened.open()
    // Other sessions of the project, or an import, may have added to it.
    if (current !== undefined && !(await refreshRecord(session, current))) distrust()
    current ??= await readSessionRecord(session, input.project)
    return current
  }

  const commit = async (batch: DecisionBatch): Promise<void> => {
    try {
      await (await opened.open()).commit(batch, now())
    } catch (error) {
      // It may have been written or not: the store knows.
      distrust()
      throw error
    }
  }

  /** Checks events, writes them to the store, and only then to the ledger. */
  const write = async (
    { ledger, session }: SessionRecord,
    events: readonly DecisionEvent[],
    messageAt: MessageAt,
    batch: DecisionBatch,
  ): Promise<void> => {
    const sound = await withSource(events, messageAt, session)
    if (sound.length > 0 || Object.keys(batch).length > 0) await commit({ ...batch, events: sound })
    ledger.append(sound)
    rejected += events.length - sound.length
  }

  /** Text without a source is rejected. A source may stand in a message that was recorded long ago. */
  const withSource = async (
    events: readonly DecisionEvent[],
    messageAt: MessageAt,
    session: string,
  ): Promise<readonly DecisionEvent[]> => {
    const stored = await opened.open()
    const older: SourceMessage[] = []
    for (const event of events) {
      if (event.type === 'withdrawn' || event.source.session !== session) continue
      const { message } = event.source
      if (messageAt(message) === undefined)
        older.push(...(await stored.sources({ from: message, to: message + 1 })))
    }
    const known = finder(older)
    return checkEvents(events, (index) => messageAt(index) ?? known(index)).events
  }

  const contextOf = (
    { ledger, scope, session, edition }: SessionRecord,
    by: Finder,
    messageAt: MessageAt,
  ): ResolveContext => {
    const similarity = embedder && { similarity: embedder.similarity }
    return { ledger, scope, session, edition, at: now(), by, messageAt, ...similarity }
  }

  const record = async (messages: readonly Message[], from: number, isComplete: boolean): Promise<void> => {
    const record = await load()
    const newFrom = from + countKnown(record, messages, from)
    const isOver = newFrom < record.messages.length
    // An answer that was recorded at the end of its turn comes again with the host's next list.
    const start = reading?.at === newFrom ? newFrom : from
    const state = reading?.at === start ? reading.state : await stateBefore(record, from)
    const read = readNewMessages(messages.slice(start - from), { from: start, newFrom, state })
    const { sources, candidates, touches: artifacts } = read
    const jobs = input.jobs?.next(record, { keep: newFrom, added: sources, isComplete }) ?? []
    const next = { state: read.state, at: from + messages.length }
    if (sources.length === 0 && !isOver && jobs.length === 0) {
      reading = next
      return
    }

    // What rules found is compared before the turn goes on: it is not waited for long.
    if (embedder && candidates.length > 0) {
      const context = contextOf(record, 'rules', finder([]))
      await embedder.prepare(textsToCompare(candidates, context), { limitMs: EMBED_LIMIT_MS })
    }
    const near = [...said(read.state, record), ...said(state, record), ...sources]
    const messageAt = finder(near)
    const gone = isOver ? withdrawal(record, newFrom, now()) : undefined
    const left = gone ? afterWithdrawal(record, gone) : record
    const { events } = resolveCandidates(candidates, contextOf(left, 'rules', messageAt))
    const batch = { ...(gone && { replaceFrom: gone.from }), sources, artifacts, jobs }
    await write(record, [...(gone ? [gone] : []), ...events], messageAt, batch)

    if (gone) takeBack(record, gone)
    for (const { hash, turn, role } of sources) record.messages.push({ hash, turn, role })
    record.artifacts.push(...artifacts)
    record.batchEnds.push(...jobs.map(({ to }) => to))
    recent = near
    reading = next
  }

  /** The words before an index that later messages may refer to, from the store. */
  const stateBefore = async (record: SessionRecord, from: number): Promise<ReadingState> => {
    if (from === 0) return BEGINNING
    const session = await opened.open()
    const before = await session.sources({ from: Math.max(0, from - LOOK_BACK), to: from })
    const last = before.findLast(({ role, text }) => role === 'assistant' && text.trim() !== '')
    // What stands before the first message of the user belongs to its turn, and is none.
    const isBegun = record.messages.slice(0, from).some(({ role }) => role === 'user')
    const turn = isBegun ? (record.messages[from - 1]?.turn ?? 0) : 0
    return { turn, ...(last && { said: { index: last.message, text: last.text } }) }
  }

  const contextFor = (record: SessionRecord, { by, texts = [], compare }: Addition): ResolveContext => {
    const messageAt = withoutStale(finder([...recent, ...texts]), texts, record)
    return { ...contextOf(record, by, messageAt), ...(compare && { compare }) }
  }

  const add = async (make: (context: ResolveContext) => Resolved, addition: Addition): Promise<Resolved> => {
    const record = await load()
    const context = contextFor(record, addition)
    const made = make(context)
    const { finished } = addition
    const batch = finished !== undefined && made.residue.length === 0 ? { finished } : {}
    await write(record, made.events, context.messageAt, batch)
    return made
  }

  return {
    get current() {
      return current
    },
    get shown() {
      return current ?? last
    },
    get rejected() {
      return rejected
    },
    load: () => enqueue(load),
    record: (messages, from, isComplete = false) => enqueue(() => record(messages, from, isComplete)),
    context: (addition) => enqueue(async () => contextFor(await load(), addition)),
    resolve: (candidates, addition) =>
      enqueue(() => add((context) => resolveCandidates(candidates, context), addition)),
    add: (make, addition) =>
      enqueue(async () => {
        const { events } = await add((context) => ({ events: make(context), residue: [] }), addition)
        return events
      }),
    commit: (batch) => enqueue(async () => (await opened.open()).commit(batch, now())),
    forget() {
      distrust()
      last = undefined
    },
  }
}

/** Longest wait of a turn for the vectors of what it says, in milliseconds. */
const EMBED_LIMIT_MS = 2_000

/** Messages that are searched for the one that a user's answer refers to. */
const LOOK_BACK = 50
