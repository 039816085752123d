import { type Clock, createPause, equalValues, freezeMessage, type Message } from '@palimpsest/core'
import { StoreConflictError, StoreError } from '../errors/store-error.ts'
import { cutFrontier } from '../history/frontier-history.ts'
import { previousLive, rangesBefore } from '../history/replaced-ranges.ts'
import { storedBeginning } from '../history/stored-beginning.ts'
import type { AppendInput, CommitInput, LcmSession, SummaryNode } from '../store/lcm-session.ts'
import { loadWindow } from './load-window.ts'
import {
  type ContextWindow,
  EMPTY_WINDOW,
  type NewMessage,
  toWindowMessage,
  type WindowMessage,
  windowBefore,
  withFrontier,
  withMessages,
} from './window.ts'

/** A write that a session is to make. */
type StoreWrite =
  | { readonly type: 'append'; readonly input: AppendInput }
  | { readonly type: 'commit'; readonly input: CommitInput }

/**
 * Brings writes to the store in their order. What fails waits and is tried again before the next one, so that a full
 * disk costs nothing: the conversation goes on with what is in memory, and the store catches up.
 */
interface StoreWriter {
  /** Rejects with the `StoreError` of the first write that failed; it and all later ones wait. */
  write(...writes: readonly StoreWrite[]): Promise<void>
  readonly waiting: readonly StoreWrite[]
  /** Drops what waits, because it does not fit any more. */
  drop(): void
}

function createStoreWriter(open: () => Promise<LcmSession>): StoreWriter {
  let waiting: StoreWrite[] = []
  return {
    get waiting() {
      return waiting
    },
    async write(...writes) {
      waiting.push(...writes)
      if (waiting.length === 0) return
      const session = await open()
      const pause = createPause()
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        if (next.type === 'append') await session.append(next.input)
        else await session.commit(next.input)
        waiting.shift()
        // A store in the process may not wait for anything: others get their turn.
        if (waiting.length > 0) await pause()
      }
    },
    drop() {
      waiting = []
    },
  }
}

/** Messages of one transaction: a long history comes in several, so that it does not hold up everything else. */
const BATCH = 25

/** Writes that append messages from `nextSeq` on, on the frontier `version`. */
function appendWrites(
  fresh: readonly NewMessage[],
  { nextSeq, version, at }: Pick<AppendInput, 'nextSeq' | 'at'> & { readonly version: number },
): StoreWrite[] {
  const writes: StoreWrite[] = []
  for (let start = 0; start < fresh.length; start += BATCH) {
    const messages = fresh.slice(start, start + BATCH).map(({ encoded }) => encoded)
    writes.push({ type: 'append', input: { nextSeq: nextSeq + start, version, messages, at } })
  }
  return writes
}

/** Summaries of one transaction: each is also indexed for searches. */
const SUMMARIES = 8

/**
 * Writes that put a new frontier in force. The many summaries of a long history come in several, so that they do not hold
 * up everything else, and only the last one changes the list: an undo takes back all of it.
 */
function commitWrites(
  { nodes: before, version }: Pick<ContextWindow, 'nodes' | 'version'>,
  after: readonly SummaryNode[],
  created: readonly SummaryNode[],
  rest: Pick<CommitInput, 'at' | 'lease'>,
): StoreWrite[] {
  const writes: StoreWrite[] = []
  for (let start = 0; start === 0 || start < created.length; start += SUMMARIES) {
    const end = start + SUMMARIES
    const summaries = (end < created.length ? before : after).map(({ number }) => number)
    const input = { version: version + writes.length, create: created.slice(start, end), summaries }
    writes.push({ type: 'commit', input: { ...rest, ...input, reason: 'compaction' } })
  }
  return writes
}

/** True when what waits does not fit any more: another writer was faster, or summaries cover what was replaced. */
export function isConflict(error: unknown): boolean {
  return (
    StoreError.isInstance(error) && (error.code === 'STORE_CONFLICT' || error.code === 'INVALID_FRONTIER')
  )
}

/**
 * The active context of a session, in memory and in the store. What cannot be written is kept in memory, and written
 * before anything that comes later. Its calls must not overlap.
 */
export class WindowKeeper {
  readonly open: () => Promise<LcmSession>
  readonly #clock: Clock
  readonly #writer: StoreWriter
  #window = EMPTY_WINDOW
  #epoch = 0
  #isLoaded = false
  #isDetached = false
  /** Where this process's own words begin since it is detached. */
  #detachedAt = 0

  constructor(open: () => Promise<LcmSession>, clock: Clock) {
    this.open = open
    this.#clock = clock
    this.#writer = createStoreWriter(open)
  }

  get window(): ContextWindow {
    return this.#window
  }

  /** Grows whenever something that was there is replaced: a plan made before does not hold any more. */
  get epoch(): number {
    return this.#epoch
  }

  /** Messages that are in memory only. */
  get unsaved(): number {
    return this.#isDetached ? this.#window.nextSeq - this.#detachedAt : waitingMessages(this.#writer.waiting)
  }

  /** True when another process goes on with the session in its own way: the store does not hold this conversation. */
  get isDetached(): boolean {
    return this.#isDetached
  }

  /**
   * Reads the session, if it was not read before. Returns what was said while it could not be read, which has to be
   * told again; undefined when there was nothing to read. Rejects with the store's error.
   */
  async load(): Promise<readonly NewMessage[] | undefined> {
    if (this.#isLoaded) return undefined
    const stored = await loadWindow(await this.open())
    this.#isLoaded = true
    // A session that begins with what was said while the store could not be reached is written as it is.
    if (stored.nextSeq === 0 && stored.version === 0 && this.#writer.waiting.length > 0) {
      await this.#write()
      return undefined
    }
    this.#window = stored
    const again = this.#waiting()
    this.#writer.drop()
    if (again.length > 0) this.#epoch++
    return again
  }

  /** Appends messages. Rejects with the store's error after keeping them. */
  async append(fresh: readonly NewMessage[]): Promise<void> {
    const { nextSeq, version } = this.#window
    const at = this.#clock.now()
    await this.#place(fresh, at)
    await this.#write(...appendWrites(fresh, { nextSeq, version, at }))
  }

  async #place(fresh: readonly NewMessage[], at: number): Promise<void> {
    const { nextSeq } = this.#window
    const pause = createPause()
    const placed: WindowMessage[] = []
    for (const [index, message] of fresh.entries()) {
      placed.push(toWindowMessage(message, nextSeq + index, at))
      await pause()
    }
    this.#window = withMessages(this.#window, placed)
  }

  /**
   * Replaces everything from message `seq` on. Rejects with the store's error, and nothing is changed; once another process
   * goes on in its own way, after replacing in memory.
   */
  async replace(seq: number, fresh: readonly NewMessage[]): Promise<void> {
    try {
      await this.#write()
      await this.#cut(seq, fresh).catch(async (error: unknown) => {
        if (!isConflict(error)) throw error
        await this.#rejoin(error)
        const { nextSeq } = await (await this.open()).head()
        // The other process went on from the messages that would be taken back.
        if (nextSeq > this.#window.nextSeq) this.#detach(seq, error)
        await this.#cut(seq, fresh)
      })
    } catch (error) {
      if (!this.#isDetached) throw error
      this.#detachedAt = Math.min(this.#detachedAt, seq)
      this.#window = windowBefore(this.#window, seq)
      await this.#place(fresh, this.#clock.now())
      throw error
    }
  }

  #detach(at: number, cause: unknown): never {
    this.#isDetached = true
    this.#detachedAt = at
    throw detachedError(cause)
  }

  /** Stores messages that are no part of the conversation any more. Rejects with the store's error. */
  async keepAside(fresh: readonly NewMessage[]): Promise<void> {
    await this.#write()
    const { nextSeq, version, nodes } = this.#window
    const session = await this.open()
    const at = this.#clock.now()
    await session.append({ nextSeq, version, at, messages: fresh.map(({ encoded }) => encoded) })
    const replace = { from: nextSeq, summaries: nodes.map(({ number }) => number) }
    await session.append({ nextSeq: nextSeq + fresh.length, version, at, messages: [], replace })
    this.#window = await loadWindow(session)
  }

  /** Puts a new frontier in force. Rejects with the store's error after keeping it. */
  async adopt(
    nodes: readonly SummaryNode[],
    create: readonly SummaryNode[],
    lease: CommitInput['lease'],
  ): Promise<void> {
    const held = lease === undefined ? {} : { lease }
    const writes = commitWrites(this.#window, nodes, create, { ...held, at: this.#clock.now() })
    this.#window = withFrontier(this.#window, nodes, create.length, writes.length)
    await this.#write(...writes)
  }

  #waiting(): NewMessage[] {
    return this.#writer.waiting.flatMap((next) =>
      next.type === 'append' ? next.input.messages.map(toNewMessage) : [],
    )
  }

  async #write(...writes: readonly StoreWrite[]): Promise<void> {
    if (this.#isDetached) throw detachedError()
    try {
      await this.#writer.write(...writes)
    } catch (error) {
      if (!isConflict(error)) throw error
      await this.#rejoin(error)
    }
  }

  /** Reads what another process did. If it said the same, both go on; if it only compacted, its summaries count. */
  async #rejoin(cause: unknown): Promise<void> {
    const session = await this.open()
    const mine = this.#waiting()
    this.#writer.drop()
    const base = this.#window.nextSeq - mine.length
    const { nextSeq, version, replaced } = await session.head()
    const said = mine.slice(0, nextSeq - base).map(({ message }) => message)
    const seqs = said.map((_, index) => base + index)
    const same = await storedBeginning(session, seqs, said)
    if (same < said.length || !equalValues(replaced, this.#window.replaced)) this.#detach(base, cause)
    const rest = mine.slice(said.length)
    await this.#writer.write(...appendWrites(rest, { nextSeq, version, at: this.#clock.now() }))
    // When the other one is ahead, what it said more is for the next conflict: this host has not said it yet.
    this.#window = windowBefore(await loadWindow(session), base + mine.length)
    this.#epoch++
  }

  async #cut(seq: number, fresh: readonly NewMessage[]): Promise<void> {
    const session = await this.open()
    const { nextSeq, version, replaced, nodes } = this.#window
    // Without a new message the last one that is left has to be raw again: a context does not end in a summary.
    const left = previousLive(rangesBefore(replaced, seq), seq - 1)
    const summaries = await cutFrontier(session, nodes, fresh.length === 0 ? left : seq)
    const messages = fresh.map(({ encoded }) => encoded)
    const replace = { from: seq, summaries }
    await session.append({ nextSeq, version, messages, at: this.#clock.now(), replace })
    this.#window = await loadWindow(session)
    this.#epoch++
  }
}

function waitingMessages(writes: readonly StoreWrite[]): number {
  return writes.reduce((sum, write) => sum + (write.type === 'append' ? write.input.messages.length : 0), 0)
}

function toNewMessage(encoded: NewMessage['encoded']): NewMessage {
  return { encoded, hash: encoded.hash, message: freezeMessage(JSON.parse(encoded.json) as Message) }
}

export function detachedError(cause?: unknown): StoreConflictError {
  return new StoreConflictError(
    'another process goes on with this session and said something else; what this one says stays in memory: begin a session of another id to store it',
    { cause },
  )
}
