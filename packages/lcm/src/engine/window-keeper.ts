import { type Clock, equalValues, freezeMessage, type Message } from '@palimpsest/core'
import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { cutFrontier } from '../history/cut-frontier.ts'
import { previousLive, rangesBefore } from '../history/replaced-ranges.ts'
import type { CommitInput, LcmSession } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { loadWindow } from './load-window.ts'
import { appendWrites, createStoreWriter, isConflict, type StoreWrite } from './store-writer.ts'
import {
  type ContextWindow,
  EMPTY_WINDOW,
  type WindowMessage,
  windowBefore,
  withFrontier,
  withMessages,
} from './window.ts'
import { type NewMessage, toWindowMessage } from './window-message.ts'

/**
 * The active context of a session, in memory and in the store. What cannot be written is kept in memory, and written
 * before anything that comes later. Its calls must not overlap.
 */
export interface WindowKeeper {
  readonly window: ContextWindow
  /** Grows whenever something that was there is replaced: a plan made before does not hold any more. */
  readonly epoch: number
  /** Messages that are in memory only. */
  readonly unsaved: number
  /** True when another process goes on with the session in its own way: what is in the store is not this conversation. */
  readonly isDetached: boolean
  /** The session in the store. */
  open(): Promise<LcmSession>
  /**
   * Reads the session, if it was not read before. Returns what was said while it could not be read, which has to be
   * told again; undefined when there was nothing to read. Rejects with the store's error.
   */
  load(): Promise<readonly NewMessage[] | undefined>
  /** Appends messages. Rejects with the store's error after keeping them. */
  append(fresh: readonly NewMessage[]): Promise<void>
  /** Replaces everything from message `seq` on. Rejects with the store's error, and nothing is changed. */
  replace(seq: number, fresh: readonly NewMessage[]): Promise<void>
  /** Stores messages that are no part of the conversation any more. Rejects with the store's error. */
  keepAside(fresh: readonly NewMessage[]): Promise<void>
  /** Puts a new frontier in force. Rejects with the store's error after keeping it. */
  adopt(
    nodes: readonly SummaryNode[],
    created: readonly SummaryNode[],
    lease: CommitInput['lease'],
  ): Promise<void>
}

export function createWindowKeeper(open: () => Promise<LcmSession>, clock: Clock): WindowKeeper {
  const writer = createStoreWriter(open)
  let window = EMPTY_WINDOW
  let epoch = 0
  let isLoaded = false
  /** Another process went on with the session in its own way: this one's words must not get in between. */
  let isDetached = false
  /** Where this process's own words begin since then. */
  let detachedAt = 0

  const unsaved = (): NewMessage[] =>
    writer.waiting.flatMap((next) => (next.type === 'append' ? next.input.messages.map(toNewMessage) : []))

  const placed = (fresh: readonly NewMessage[], at: number): WindowMessage[] =>
    fresh.map((message, index) => toWindowMessage(message, window.nextSeq + index, at))

  const write = async (...writes: readonly StoreWrite[]): Promise<void> => {
    if (isDetached) throw detachedError()
    try {
      await writer.write(...writes)
    } catch (error) {
      if (!isConflict(error)) throw error
      await rejoin(error)
    }
  }

  /** Reads what another process did. If it said the same, both go on; if it only compacted, its summaries count. */
  const rejoin = async (cause: unknown): Promise<void> => {
    const session = await open()
    const mine = unsaved()
    writer.drop()
    const base = window.nextSeq - mine.length
    const { nextSeq, version, replaced } = await session.head()
    const theirs = await session.hashes({ first: base, last: nextSeq, limit: mine.length })
    const isSame = theirs.every(
      ({ seq, hash }, index) => seq === base + index && mine[index]?.encoded.hash === hash,
    )
    if (!isSame || !equalValues(replaced, window.replaced)) {
      isDetached = true
      detachedAt = base
      throw detachedError(cause)
    }
    const rest = mine.slice(theirs.length)
    await writer.write(...appendWrites(rest, { nextSeq, version, at: clock.now() }))
    // When the other one is ahead, what it said more is for the next conflict: this host has not said it yet.
    window = windowBefore(await loadWindow(session), base + mine.length)
    epoch++
  }

  const cut = async (seq: number, fresh: readonly NewMessage[]): Promise<void> => {
    const session = await open()
    const { nextSeq, version } = window
    // Without a new message the last one that is left has to be raw again: a context does not end in a summary.
    const left = previousLive(rangesBefore(window.replaced, seq), seq - 1)
    const summaries = await cutFrontier(session, window.nodes, fresh.length === 0 ? left : seq)
    const messages = fresh.map(({ encoded }) => encoded)
    const replace = { from: seq, summaries }
    await session.append({ nextSeq, version, messages, at: clock.now(), replace })
    window = await loadWindow(session)
    epoch++
  }

  return {
    open,
    get window() {
      return window
    },
    get epoch() {
      return epoch
    },
    get unsaved() {
      return isDetached ? window.nextSeq - detachedAt : waitingMessages(writer.waiting)
    },
    get isDetached() {
      return isDetached
    },
    async load() {
      if (isLoaded) return undefined
      const stored = await loadWindow(await open())
      isLoaded = true
      // A session that begins with what was said while the store could not be reached is written as it is.
      if (stored.nextSeq === 0 && stored.version === 0 && writer.waiting.length > 0) {
        await write()
        return undefined
      }
      window = stored
      const again = unsaved()
      writer.drop()
      if (again.length > 0) epoch++
      return again
    },
    async append(fresh) {
      const { nextSeq, version } = window
      const at = clock.now()
      window = withMessages(window, placed(fresh, at))
      await write(...appendWrites(fresh, { nextSeq, version, at }))
    },
    async replace(seq, fresh) {
      await write()
      try {
        await cut(seq, fresh)
      } catch (error) {
        if (!isConflict(error)) throw error
        await rejoin(error)
        await cut(seq, fresh)
      }
    },
    async keepAside(fresh) {
      await write()
      const { nextSeq, version, nodes } = window
      const session = await open()
      const at = clock.now()
      await session.append({ nextSeq, version, at, messages: fresh.map(({ encoded }) => encoded) })
      const replace = { from: nextSeq, summaries: nodes.map(({ number }) => number) }
      await session.append({ nextSeq: nextSeq + fresh.length, version, at, messages: [], replace })
      window = await loadWindow(session)
    },
    async adopt(nodes, created, lease) {
      const { version } = window
      window = withFrontier(window, nodes, created.length)
      const summaries = nodes.map(({ number }) => number)
      const input: CommitInput = {
        version,
        create: created,
        summaries,
        reason: 'compaction',
        at: clock.now(),
      }
      await write({ type: 'commit', input: lease === undefined ? input : { ...input, lease } })
    },
  }
}

function waitingMessages(writes: readonly StoreWrite[]): number {
  return writes.reduce((sum, write) => sum + (write.type === 'append' ? write.input.messages.length : 0), 0)
}

function toNewMessage(encoded: NewMessage['encoded']): NewMessage {
  return { encoded, message: freezeMessage(JSON.parse(encoded.json) as Message) }
}

/** What another process's words in this session are answered with. */
export function detachedError(cause?: unknown): StoreConflictError {
  return new StoreConflictError(
    'another process goes on with this session and said something else; what this one says stays in memory: fork the session to store both',
    { cause },
  )
}
