import { createSerialQueue, type Message } from '@palimpsest/core'
import type { Proven, Refusal, RefusalCounts } from '../extract/candidate.ts'
import { type BatchSize, nextJobs, restJobs } from '../extract/jobs.ts'
import type { DecisionEvent, Finder, SaidEvent } from '../log/decision-event.ts'
import type { SourceMessage } from '../log/source.ts'
import { resolveCandidates } from '../resolve.ts'
import type { DecisionBatch, ExtractionJob } from '../store/decision-store.ts'
import { eventFault, sourceFault } from '../verify.ts'
import type { OpenedSession } from './open-session.ts'
import {
  countKnown,
  readSessionRecord,
  refreshRecord,
  type SessionRecord,
  sourcesOf,
  withdrawal,
} from './session-record.ts'

export interface RecorderInput {
  readonly opened: OpenedSession
  readonly project: string | undefined
  readonly now: () => number
  /** The size of a job for a model; undefined without a model. */
  readonly batch: BatchSize | undefined
}

interface NewMessages {
  readonly jobsEnd: number
  readonly from: number
  readonly sources: readonly SourceMessage[]
  readonly isComplete: boolean
}

/** Messages that are written to the store at once. */
const PORTION = 200

/** Keeps the record of one session: what it has in memory is what its store has. Changes are made one at a time. */
export class Recorder {
  readonly #input: RecorderInput
  readonly #enqueue = createSerialQueue()
  readonly #refused: Partial<Record<Refusal, number>> = {}
  #current: SessionRecord | undefined
  #last: SessionRecord | undefined

  constructor(input: RecorderInput) {
    this.#input = input
  }

  /** The record, or the last one while the store cannot be used; undefined before the first use. */
  get shown(): SessionRecord | undefined {
    return this.#current ?? this.#last
  }

  /** Candidates that were not put on record, by reason. */
  get refused(): RefusalCounts {
    return this.#refused
  }

  refuse(reasons: readonly Refusal[]): void {
    for (const reason of reasons) this.#refused[reason] = (this.#refused[reason] ?? 0) + 1
  }

  load(): Promise<SessionRecord> {
    return this.#enqueue(() => this.#load())
  }

  /**
   * Takes messages of the transcript that begin at an index; what was there before and differs is taken back. They are in the
   * store when the promise resolves, with the jobs that they make. `isComplete`: the turn has ended.
   */
  record(messages: readonly Message[], from: number, isComplete = false): Promise<void> {
    return this.#enqueue(async () => {
      const record = await this.#load()
      const known = await countKnown(record, messages, from)
      const isOver = from + known < record.messages.length
      let begin = known
      do {
        const end = Math.min(messages.length, begin + PORTION)
        const part = { messages: messages.slice(begin, end), from: from + begin }
        await this.#append(record, part, isOver && begin === known, isComplete && end === messages.length)
        begin = end
      } while (begin < messages.length)
    })
  }

  /** Puts a job for what no job has yet into the store, so that a compaction can have it read; not the user's last message. */
  queueRest(): Promise<void> {
    return this.#enqueue(async () => {
      const record = await this.#load()
      const open = await this.#sources(record.jobsEnd)
      const jobs = restJobs(record, open)
      if (jobs.length === 0) return
      await this.#commit({ jobs })
      record.jobsEnd = jobs.at(-1)?.to ?? record.jobsEnd
    })
  }

  /**
   * Puts candidates into the log, with the jobs that are done by that. A message that was edited while it was read proves
   * nothing. Returns the events.
   */
  resolve(
    candidates: readonly Proven[],
    { by, finished = [] }: { readonly by: Finder; readonly finished?: readonly string[] },
  ): Promise<readonly SaidEvent[]> {
    return this.#enqueue(async () => {
      const record = await this.#load()
      const { ledger, scope, session, edition, seq, messages } = record
      const isStored = ({ message, hash }: SourceMessage) => messages[message]?.hash === hash
      const sound = candidates.filter(
        ({ span, proposal }) =>
          isStored(span.message) && (proposal === undefined || isStored(proposal.message)),
      )
      const context = { ledger, scope, session, edition, at: this.#input.now(), by }
      const { events, refused } = resolveCandidates(sound, context)
      const texts = new Map(
        sound
          .flatMap(({ span, proposal }) => [span, proposal ?? span])
          .map(({ message }) => [message.message, message]),
      )
      const proved = events.filter((event) => {
        const isOwn = event.source.session === session && texts.has(event.source.message)
        return (
          (eventFault(event) ??
            (isOwn ? sourceFault(event.source, texts.get(event.source.message)) : undefined)) === undefined
        )
      })
      if (proved.length > 0 || finished.length > 0)
        await this.#commit({ known: { scope, seq }, events: proved, finished })
      ledger.append(proved)
      this.refuse([...refused, ...Array<Refusal>(candidates.length - sound.length).fill('edited')])
      return proved
    })
  }

  /** Jobs that are given up. */
  finish(jobs: readonly string[]): Promise<void> {
    return this.#enqueue(() => this.#commit({ finished: jobs }))
  }

  /** Forgets what is in memory: the next use reads the store. */
  forget(): void {
    this.#current = undefined
    this.#last = undefined
  }

  async #load(): Promise<SessionRecord> {
    const session = await this.#input.opened.open()
    // Other sessions of the project may have added to it.
    if (this.#current !== undefined && !(await refreshRecord(session, this.#current))) this.#distrust()
    this.#current ??= await readSessionRecord(session, this.#input.project)
    return this.#current
  }

  /** The next use reads the store. */
  #distrust(): void {
    this.#last = this.#current ?? this.#last
    this.#current = undefined
  }

  async #append(
    record: SessionRecord,
    { messages, from }: { readonly messages: readonly Message[]; readonly from: number },
    isOver: boolean,
    isComplete: boolean,
  ): Promise<void> {
    const { ledger, scope, seq } = record
    const sources = await sourcesOf(messages, from, record.messages[from - 1]?.turn ?? 0)
    const gone = isOver ? withdrawal(record, from, this.#input.now()) : undefined
    const jobsEnd = Math.min(record.jobsEnd, from)
    const jobs = await this.#jobsFor(record, { jobsEnd, from, sources, isComplete })
    if (sources.length === 0 && gone === undefined && jobs.length === 0) return
    const events: readonly DecisionEvent[] = gone === undefined ? [] : [gone]
    await this.#commit({ known: { scope, seq }, ...(gone && { replaceFrom: from }), sources, events, jobs })
    ledger.append(events)
    if (gone !== undefined) {
      record.edition++
      record.messages.length = from
    }
    for (const { hash, turn } of sources) record.messages.push({ hash, turn })
    record.jobsEnd = jobs.at(-1)?.to ?? jobsEnd
  }

  /** The jobs for whole batches. Nothing is read before there is one. */
  async #jobsFor(
    { session, messages }: SessionRecord,
    { jobsEnd, from, sources, isComplete }: NewMessages,
  ): Promise<readonly ExtractionJob[]> {
    const { batch } = this.#input
    const turnAt = (index: number) => (index < from ? messages[index] : sources[index - from])?.turn ?? 0
    const ended = turnAt(from + sources.length - 1) - (isComplete ? 0 : 1)
    if (batch === undefined || ended < Math.max(1, turnAt(jobsEnd)) + batch.turns - 1) return []
    const open = [...(await this.#sources(jobsEnd, from)), ...sources]
    return nextJobs({ session, jobsEnd }, open, batch, isComplete)
  }

  async #sources(from: number, to = Number.MAX_SAFE_INTEGER): Promise<readonly SourceMessage[]> {
    return from >= to ? [] : (await this.#input.opened.open()).sources({ from, to })
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
