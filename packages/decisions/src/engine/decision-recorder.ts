import { createSerialQueue, type Message } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { DecisionEvent, Finder } from '../log/decision-event.ts'
import { withdrawalId } from '../log/ids.ts'
import { textsToCompare } from '../resolve/find-neighbours.ts'
import { type ResolveContext, type Resolved, resolveCandidates } from '../resolve/resolve-candidates.ts'
import type { DecisionBatch } from '../store/decision-store.ts'
import type { ExtractionJob } from '../store/extraction-job.ts'
import { checkEvents } from '../verify/check-events.ts'
import type { Embedder } from './embedder.ts'
import { finder, type MessageAt, said, withoutStale } from './message-finder.ts'
import type { OpenedSession } from './open-session.ts'
import { BEGINNING, type ReadingState, readNewMessages } from './read-new-messages.ts'
import { countKnown, readSessionRecord, refreshRecord, type SessionRecord } from './session-record.ts'

export interface RecorderInput {
  readonly opened: OpenedSession
  readonly project: string | undefined
  readonly now: () => number
  readonly embedder: Embedder | undefined
  /** Work for a model that the new messages make. */
  readonly jobsFor: (record: SessionRecord, isComplete: boolean) => readonly ExtractionJob[]
}

/** Who adds to the log, and the messages that they refer to besides those that were recorded last. */
export interface Addition {
  readonly by: Finder
  readonly texts?: readonly SourceMessage[]
  /** What candidates of a model are compared with, see `ResolveContext`. */
  readonly compare?: 'similar' | 'category'
  /** Jobs that are done by this: with the events, or not at all. */
  readonly finished?: readonly string[]
}

/** Keeps the record of one session: what it has in memory is what its store has. Changes are made one at a time. */
export interface DecisionRecorder {
  /** What is on record; undefined before the first use, and after a write that failed. */
  readonly current: SessionRecord | undefined
  /** What is on record, or was when the store could be used last. */
  readonly shown: SessionRecord | undefined
  load(): Promise<SessionRecord>
  /**
   * Takes messages of the transcript that begin at an index; what stood there before and differs is taken back. All that
   * they say is in the store when the promise resolves. `isComplete`: the turn has ended.
   */
  record(messages: readonly Message[], from: number, isComplete?: boolean): Promise<void>
  /** Puts candidates into the log. Jobs are done by that when nothing stays unclear. */
  resolve(candidates: readonly Candidate[], addition: Addition): Promise<Resolved>
  /** Lets somebody append events to the ledger of the context, and keeps them. */
  append<T>(make: (context: ResolveContext) => Promise<T>, addition: Addition): Promise<T>
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

  /** Makes a change and writes it. What is in memory is given up when that fails: the store knows better. */
  const change = async <T>(
    make: (record: SessionRecord) => Promise<{ batch: DecisionBatch; messageAt: MessageAt; result: T }>,
  ): Promise<T> => {
    const record = await load()
    const before = record.ledger.events.length
    try {
      const { batch, messageAt, result } = await make(record)
      const added = record.ledger.events.slice(before)
      const events = await withSource(added, messageAt, record.session)
      if (events.length > 0 || Object.keys(batch).length > 0)
        await (await opened.open()).commit({ ...batch, events }, now())
      if (events.length < added.length) {
        rejected += added.length - events.length
        distrust()
        await load()
      }
      return result
    } catch (error) {
      distrust()
      throw error
    }
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

  const contextOf = (record: SessionRecord, by: Finder, messageAt: MessageAt): ResolveContext => ({
    ledger: record.ledger,
    scope: record.scope,
    session: record.session,
    edition: record.edition,
    at: now(),
    by,
    messageAt,
    ...(embedder && { similarity: embedder.similarity }),
  })

  const record = async (messages: readonly Message[], from: number, isComplete: boolean): Promise<void> => {
    const loaded = await load()
    const newFrom = from + countKnown(loaded, messages, from)
    const isOver = newFrom < loaded.messages.length
    const isNew = newFrom < from + messages.length
    // An answer that was recorded at the end of its turn comes again with the host's next list.
    const start = reading?.at === newFrom ? newFrom : from
    const state = reading?.at === start ? reading.state : await stateBefore(loaded, from)
    const read = readNewMessages(messages.slice(start - from), { from: start, newFrom, state })
    reading = { state: read.state, at: from + messages.length }
    if (!isNew && !isOver && input.jobsFor(loaded, isComplete).length === 0) return

    // What rules found is compared before the turn goes on: it is not waited for long.
    if (embedder && read.candidates.length > 0) {
      const context = contextOf(loaded, 'rules', finder([]))
      await embedder.prepare(textsToCompare(read.candidates, context), { limitMs: EMBED_LIMIT_MS })
    }
    await change(async (record) => {
      if (isOver) takeBack(record, newFrom)
      for (const { hash, turn, role } of read.sources) record.messages.push({ hash, turn, role })
      record.artifacts.push(...read.touches)
      recent = [...said(read.state, record), ...said(state, record), ...read.sources]
      const messageAt = finder(recent)
      resolveCandidates(read.candidates, contextOf(record, 'rules', messageAt))
      const jobs = input.jobsFor(record, isComplete)
      record.batchEnds.push(...jobs.map(({ to }) => to))
      const batch: DecisionBatch = {
        ...(isOver && { replaceFrom: newFrom }),
        sources: read.sources,
        artifacts: read.touches,
        jobs,
      }
      return { batch, messageAt, result: undefined }
    })
  }

  const takeBack = (record: SessionRecord, from: number): void => {
    const { session, scope, edition } = record
    const id = withdrawalId({ scope, session, from, edition })
    record.ledger.append([{ type: 'withdrawn', id, scope, at: now(), session, from, edition }])
    record.edition++
    record.messages.length = from
    record.artifacts = record.artifacts.filter(({ message }) => message < from)
    record.batchEnds = record.batchEnds.filter((end) => end <= from)
  }

  /** What messages before an index say that later ones may refer to, from the store. */
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

  const append = <T>(
    make: (context: ResolveContext) => Promise<T>,
    { by, texts = [], compare, finished }: Addition,
    isDone: (result: T) => boolean = () => true,
  ): Promise<T> =>
    change(async (record) => {
      const messageAt = withoutStale(finder([...recent, ...texts]), texts, record)
      const result = await make({ ...contextOf(record, by, messageAt), ...(compare && { compare }) })
      const batch = finished !== undefined && isDone(result) ? { finished } : {}
      return { batch, messageAt, result }
    })

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
    append: (make, addition) => enqueue(() => append(make, addition)),
    resolve: (candidates, addition) =>
      enqueue(() =>
        append(
          async (context) => resolveCandidates(candidates, context),
          addition,
          ({ residue }) => residue.length === 0,
        ),
      ),
    commit: (batch) => enqueue(async () => (await opened.open()).commit(batch, now())),
    forget() {
      distrust()
      last = undefined
    },
  }
}

/** How long a turn waits for the vectors of what it says, in milliseconds. */
const EMBED_LIMIT_MS = 2_000

/** How far back the message that a user's answer refers to is looked for. */
const LOOK_BACK = 50
