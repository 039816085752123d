import {
  type Clock,
  type ConversationLog,
  createSerialQueue,
  type FrontierReason,
  type StoredSession,
  type Summary,
} from '@palimpsest/core'
import { cutFrontier, StoreError } from '@palimpsest/store'
import { frontierSummaries, versionsOf } from '../history/frontier-history.ts'
import { type ContextWindow, forgottenMessage, indexAfter, type WindowMessage, windowOf } from './window.ts'

const UNREAD = -1

/**
 * Keeps the current summaries, in memory and in the store. Summaries that could not be written stay in memory and are
 * written once the store works. Calls may overlap.
 */
export class FrontierKeeper {
  readonly #log: ConversationLog
  readonly #clock: Clock
  readonly #enqueue = createSerialQueue()
  #summaries: readonly Summary[] = []
  #version = UNREAD
  #nextSummary = 1
  #pending: readonly Summary[] = []
  #changes = 0
  #isBehind = false
  #forgotten: ReadonlySet<number> = new Set()

  constructor(log: ConversationLog, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  get version(): number {
    return this.#version
  }

  get nextSummary(): number {
    return this.#nextSummary
  }

  /** Grows when messages are removed or another writer changes the summaries; older plans are then invalid. */
  get epoch(): number {
    return this.#log.edits + this.#changes
  }

  get isBehind(): boolean {
    return this.#isBehind && !this.#log.isDetached
  }

  get hasPending(): boolean {
    return this.#pending.length > 0
  }

  window(last = Number.POSITIVE_INFINITY): ContextWindow {
    const { entries } = this.#log
    const window = windowOf(entries.slice(0, indexAfter(entries, last)), this.#summaries)
    const { summaries, leading, tail, request } = window
    if (this.#forgotten.size === 0) return window
    const hide = (message: WindowMessage) =>
      this.#forgotten.has(message.seq) ? forgottenMessage(message) : message
    return {
      ...{ summaries, leading: leading.map(hide), tail: tail.map(hide) },
      ...(request && { request: hide(request) }),
    }
  }

  sync(): Promise<unknown> {
    return this.#enqueue(async () => {
      const failure = this.#isStoring() ? await rejection(this.#join()) : undefined
      this.#cut()
      return failure
    })
  }

  /**
   * Shows summaries from now on, including `created` ones, unless the epoch changed. Returns the store's error, if any.
   */
  adopt(epoch: number, summaries: readonly Summary[], created: readonly Summary[]): Promise<unknown> {
    return this.#enqueue(async () => {
      if (this.epoch !== epoch) return undefined
      this.#summaries = summaries
      this.#pending = [...this.#pending, ...created]
      this.#nextSummary += created.length
      return this.#isStoring() ? rejection(this.#write(await this.#log.open())) : undefined
    })
  }

  #isStoring(): boolean {
    return !this.#log.isDetached && this.#log.unsaved === 0
  }

  async #join(): Promise<void> {
    const session = await this.#log.open()
    await this.#read(session, this.#isBehind)
    await this.#write(session)
  }

  /** @param isForced Read even if the version is unchanged. */
  async #read(session: StoredSession, isForced = false): Promise<void> {
    const { version, nextSummary } = await session.head()
    const known = this.#version
    if (version === known && !isForced) return
    const reasons = await reasonsSince(session, known)
    if (reasons.has('forget')) this.#forgotten = await forgottenSeqs(session)
    this.#version = version
    // Edits are in the log too: summaries written after them stay valid.
    const isOnlyEdited = [...reasons].every((reason) => reason === 'start' || reason === 'edit')
    if (this.hasPending && isOnlyEdited && !isForced) return
    const shown = await frontierSummaries(session, version)
    const last = this.#log.entries.at(-1)?.seq ?? -1
    this.#isBehind = (shown.at(-1)?.last ?? -1) > last
    this.#summaries = await cutFrontier(shown, last, (numbers) => session.summaries(numbers))
    this.#nextSummary = nextSummary
    this.#pending = []
    this.#changes++
  }

  async #write(session: StoredSession): Promise<void> {
    if (!this.hasPending) return
    try {
      const { version } = await session.commit({
        version: this.#version,
        create: this.#pending,
        summaries: this.#summaries.map(({ number }) => number),
        reason: 'compaction',
        at: this.#clock.now(),
      })
      this.#version = version
      this.#pending = []
    } catch (error) {
      if (!isConflict(error)) throw error
      await this.#read(session, true)
      this.#cut()
      throw error
    }
  }

  /**
   * Removes summaries of messages that are no longer in the log, and all later ones, because a conversation must end
   * with messages.
   */
  #cut(): void {
    const { entries } = this.#log
    const last = entries.at(-1)?.seq ?? -1
    const isThere = (seq: number) => entries[indexAfter(entries, seq) - 1]?.seq === seq
    const end = this.#summaries.findIndex((one) => one.damaged || one.last >= last || !isThere(one.last))
    if (end === -1) return
    this.#summaries = this.#summaries.slice(0, end)
    this.#changes++
  }
}

export function isConflict(error: unknown): boolean {
  return (
    StoreError.isInstance(error) && (error.code === 'STORE_CONFLICT' || error.code === 'INVALID_FRONTIER')
  )
}

export function detachedError(): StoreError {
  return new StoreError(
    'STORE_CONFLICT',
    'another process goes on with this session and said something else; what this one says stays in memory: begin a session of another id to store it',
  )
}

async function reasonsSince(session: StoredSession, known: number): Promise<ReadonlySet<FrontierReason>> {
  const reasons = new Set<FrontierReason>()
  for await (const { version, reason } of versionsOf(session)) {
    if (version <= known) break
    reasons.add(reason)
  }
  return reasons
}

async function forgottenSeqs(session: StoredSession): Promise<ReadonlySet<number>> {
  const messages = await session.messages()
  return new Set(messages.flatMap(({ seq, forgotten }) => (forgotten === undefined ? [] : [seq])))
}

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  )
}
