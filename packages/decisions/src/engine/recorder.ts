import {
  type ConversationLog,
  createSerialQueue,
  isObject,
  type NewJob,
  PalimpsestError,
  type RecordInput,
  type SeqRange,
} from '@palimpsest/core'
import type { Proven, Refusal, RefusalCounts } from '../extract/candidate.ts'
import { type BatchSize, jobsFor, nextJobs } from '../extract/jobs.ts'
import {
  decisionScope,
  type Finder,
  readEvents,
  type SaidEvent,
  type Scope,
  standingEvents,
  type Withdrawal,
} from '../log/decision-event.ts'
import { withdrawalId } from '../log/ids.ts'
import { createDecisionLedger, type DecisionLedger } from '../log/ledger.ts'
import { type Resolved, resolveCandidates } from '../resolve.ts'
import type { Conversation } from './conversation.ts'

export interface RecorderInput {
  readonly log: ConversationLog
  readonly conversation: Conversation
  readonly project: string | undefined
  readonly now: () => number
  readonly batch: BatchSize | undefined
}

export interface SessionRecord {
  readonly session: string
  readonly scope: Scope
  readonly ledger: DecisionLedger
}

interface OpenRecord extends SessionRecord {
  seen: number
  edits: number
  place: Place
}

interface Place {
  readonly jobsEnd: number
  /** Number of the first message of the conversation. After a reset, a project keeps earlier decisions. */
  readonly begin: number
}

const STATE = 'decisions'
const ATTEMPTS = 5

export class Recorder {
  readonly #input: RecorderInput
  readonly #enqueue = createSerialQueue()
  readonly #refused: Partial<Record<Refusal, number>> = {}
  #record: OpenRecord | undefined

  constructor(input: RecorderInput) {
    this.#input = input
  }

  get shown(): SessionRecord | undefined {
    return this.#record
  }

  get refused(): RefusalCounts {
    return this.#refused
  }

  refuse(reasons: readonly Refusal[]): void {
    for (const reason of reasons) this.#refused[reason] = (this.#refused[reason] ?? 0) + 1
  }

  load(): Promise<SessionRecord> {
    return this.#enqueue(() => this.#load())
  }

  queueBatches(isComplete: boolean): Promise<void> {
    return this.#enqueue(async () => {
      const { batch, conversation } = this.#input
      const record = await this.#load()
      const ended = conversation.turnsFrom(record.place.jobsEnd) - (isComplete ? 0 : 1)
      if (batch === undefined || ended < batch.turns) return
      await this.#addJobs(record, nextJobs(record.session, this.#unread(record), batch, isComplete))
    })
  }

  /** Queues the remaining messages except the user's last one, so that a compaction can have them read. */
  queueRest(): Promise<void> {
    return this.#enqueue(async () => {
      const record = await this.#load()
      const { last } = this.#input.conversation
      const rest = this.#unread(record).filter(({ seq, role }) => role !== 'user' || seq !== last)
      await this.#addJobs(record, jobsFor(record.session, rest))
    })
  }

  /**
   * Records proven candidates and finishes their jobs, in one transaction. A message that was edited meanwhile proves
   * nothing. Returns the events.
   */
  resolve(
    candidates: readonly Proven[],
    { by, finished = [] }: { readonly by: Finder; readonly finished?: readonly string[] },
  ): Promise<readonly SaidEvent[]> {
    return this.#enqueue(async () => {
      const { conversation } = this.#input
      const sound = candidates.filter(
        ({ span, proposal = span }) =>
          conversation.has(span.message.seq) && conversation.has(proposal.message.seq),
      )
      const { events, refused } = await this.#write(sound, by, finished)
      this.refuse([...refused, ...Array<Refusal>(candidates.length - sound.length).fill('edited')])
      return events
    })
  }

  finish(jobs: readonly string[]): Promise<void> {
    return this.#enqueue(async () => {
      const { scope } = await this.#load()
      await this.#commit({ scope, events: [], finished: jobs })
    })
  }

  reset(): Promise<void> {
    return this.#enqueue(async () => {
      const session = await this.#input.log.open()
      const { nextSeq } = await session.head()
      const isShared = this.#input.project !== undefined
      const place: Place = { jobsEnd: nextSeq, begin: isShared ? nextSeq : 0 }
      await session.saveState(STATE, place)
      this.#record = undefined
    })
  }

  async #write(sound: readonly Proven[], by: Finder, finished: readonly string[]): Promise<Resolved> {
    for (let attempt = 1; ; attempt++) {
      const { ledger, scope, session, seen } = await this.#load()
      const resolved = resolveCandidates(sound, { ledger, scope, session, at: this.#input.now(), by })
      const { events } = resolved
      try {
        if (events.length > 0 || finished.length > 0)
          await this.#commit({ scope, events: events.map(asNew), known: seen, finished })
        ledger.append(events)
        return resolved
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error
      }
    }
  }

  async #load(): Promise<OpenRecord> {
    const session = await this.#input.log.open()
    this.#record ??= await this.#begin()
    const record = this.#record
    const added = await session.events({ scopes: [record.scope], after: record.seen })
    record.ledger.append(readEvents(added))
    record.seen = added.at(-1)?.seq ?? record.seen
    const { edits, isDetached } = this.#input.log
    if ((record.edits !== edits || added.length > 0) && !isDetached)
      record.edits = (await this.#withdraw(record)) ? edits : -1
    return record
  }

  async #begin(): Promise<OpenRecord> {
    const { log, project } = this.#input
    const session = await log.open()
    const { key } = session
    return {
      session: key,
      scope: decisionScope(key, project),
      ledger: createDecisionLedger(),
      seen: 0,
      // A process may have ended before it recorded that messages were removed.
      edits: -1,
      place: readPlace(await session.state(STATE)),
    }
  }

  /** Withdraws entries whose messages the host removed. Returns false until the store knows all removals. */
  async #withdraw({ session, scope, ledger, place }: OpenRecord): Promise<boolean> {
    const { log, conversation, now } = this.#input
    const gone = standingEvents(ledger.events)
      .filter(({ source }) => source.session === session && source.seq >= place.begin)
      .flatMap(({ source: { seq } }) => (conversation.has(seq) ? [] : [seq]))
    if (gone.length === 0) return true
    const { replaced } = await (await log.open()).head()
    const isIn = (seq: number, { first, last }: SeqRange) => first <= seq && seq <= last
    const events = replaced
      .map(({ first, last }) => ({ first: Math.max(first, place.begin), last }))
      .filter((range) => gone.some((seq) => isIn(seq, range)))
      .map((range): Withdrawal => {
        const id = withdrawalId({ scope, session, ...range })
        return { type: 'withdrawn', id, scope, at: now(), session, ...range }
      })
    if (events.length > 0) await this.#commit({ scope, events: events.map(asNew) })
    ledger.append(events)
    return gone.every((seq) => events.some((range) => isIn(seq, range)))
  }

  #unread({ place }: OpenRecord) {
    const { conversation } = this.#input
    return conversation.said({ first: place.jobsEnd, last: conversation.last })
  }

  async #addJobs(record: OpenRecord, jobs: readonly NewJob[]): Promise<void> {
    const last = jobs.at(-1)?.body
    if (!isObject(last)) return
    await this.#commit({ scope: record.scope, events: [], jobs })
    record.place = { ...record.place, jobsEnd: Number(last.last) + 1 }
    await (await this.#input.log.open()).saveState(STATE, record.place)
  }

  async #commit(input: RecordInput): Promise<void> {
    const { log } = this.#input
    if (log.isDetached)
      throw new Error(
        'another process continued this session, so nothing more is recorded; start a session of another id',
      )
    await (await log.open()).record(input)
  }
}

function asNew<Event extends { readonly id: string }>(event: Event) {
  return { id: event.id, body: event }
}

function isConflict(error: unknown): boolean {
  return PalimpsestError.isInstance(error) && error.code === 'STORE_CONFLICT'
}

/** Jobs that are queued again have the same ids, so a lost place costs no request. */
function readPlace(value: unknown): Place {
  const { jobsEnd, begin } = isObject(value) ? value : {}
  return { jobsEnd: countOf(jobsEnd), begin: countOf(begin) }
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : 0
}
