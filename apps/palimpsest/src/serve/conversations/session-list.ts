import type { Clock } from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import type { Conversation } from './conversation.ts'
import type { SessionTurnstile } from './session-turnstile.ts'

/** A session that somebody has called. */
export interface Entry {
  readonly queue: BoundedQueue
  conversation: Conversation | undefined
  /** Has a place in memory: it is loaded, or being loaded. */
  isHeld: boolean
  lastUsed: number
  /** Of the hold that it was used under last: one more is the next holder's. */
  token: number
}

/** The sessions that were called, and their conversations, as many as the memory has places for. */
export interface SessionList {
  /** Runs a task when those that came before are done. */
  inQueue<T>(session: string, signal: AbortSignal, task: (entry: Entry) => Promise<T>): Promise<T>
  /** The conversation of an entry; it is opened when it is not in memory. Only within its queue. */
  load(entry: Entry, open: () => Promise<Conversation>): Promise<Conversation>
  /** Ends the conversation of an entry. Only within its queue. */
  unload(entry: Entry): Promise<void>
  /** The same under a hold, if there is one within `limit` milliseconds, else without. Only within its queue. */
  unloadHeld(session: string, entry: Entry, limit: number): Promise<void>
  /** Conversations in memory. */
  readonly held: number
  /** Ends what nobody asked for a while. What another worker is at work on is left for the next time. */
  unloadIdle(): Promise<void>
  /** Ends all. `limit`: milliseconds that each waits for another worker. */
  close(limit: number): Promise<void>
}

interface SessionListInput {
  readonly clock: Clock
  readonly turnstile: SessionTurnstile
  readonly limits: { readonly queue: number; readonly loaded: number; readonly idle: number }
}

export function createSessionList({ clock, limits, turnstile }: SessionListInput): SessionList {
  const entries = new Map<string, Entry>()
  const held = () => [...entries].filter(([, entry]) => entry.isHeld)

  /** A session that is not in memory needs no place in the list either. */
  const forget = (session: string, { isHeld, queue }: Entry): void => {
    if (!isHeld && queue.pending === 0) entries.delete(session)
  }

  const unload = async (entry: Entry): Promise<void> => {
    const { conversation } = entry
    entry.conversation = undefined
    try {
      await conversation?.close()
    } finally {
      entry.isHeld = false
    }
  }

  const unloadHeld: SessionList['unloadHeld'] = async (session, entry, limit) => {
    try {
      await turnstile.pass(session, AbortSignal.timeout(limit), () => unload(entry))
    } catch (error) {
      if (entry.conversation === undefined) throw error
      await unload(entry)
    }
  }

  /** Through the queue, so that a session is not loaded again before it has ended. */
  const inTurn = async <T>(
    [session, entry]: readonly [string, Entry],
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await entry.queue.runAnyway(work)
    } finally {
      forget(session, entry)
    }
  }

  /** Under the hold of the session: an engine writes at its end what it could not write before. */
  const tryUnload = ([session, entry]: readonly [string, Entry]): Promise<unknown> =>
    inTurn([session, entry], () => turnstile.tryPass(session, () => unload(entry)))

  const dropOldest = async (): Promise<void> => {
    const idle = held()
      .filter(([, { queue }]) => queue.pending === 0)
      .sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    for (const known of idle) if ((await tryUnload(known)) !== undefined) return
    throw new ServiceFault(
      503,
      'service-busy',
      `all ${limits.loaded} conversations in memory are busy; try again`,
      { retryAfter: 1 },
    )
  }

  return {
    async inQueue(session, signal, task) {
      const queue = createBoundedQueue(limits.queue)
      const fresh: Entry = { queue, conversation: undefined, isHeld: false, lastUsed: 0, token: 0 }
      const entry = entries.get(session) ?? fresh
      entries.set(session, entry)
      try {
        return await entry.queue.run(() => task(entry), signal)
      } finally {
        entry.lastUsed = clock.now()
        forget(session, entry)
      }
    },
    async load(entry, open) {
      if (entry.conversation !== undefined) return entry.conversation
      while (held().length >= limits.loaded) await dropOldest()
      entry.isHeld = true
      try {
        entry.conversation = await open()
        return entry.conversation
      } catch (error) {
        entry.isHeld = false
        throw error
      }
    },
    unload,
    unloadHeld,
    get held() {
      return held().length
    },
    async unloadIdle() {
      const since = clock.now() - limits.idle
      const idle = held().filter(([, { queue, lastUsed }]) => queue.pending === 0 && lastUsed <= since)
      await Promise.all(idle.map(tryUnload))
    },
    async close(limit) {
      const end = ([session, entry]: readonly [string, Entry]) =>
        inTurn([session, entry], () => unloadHeld(session, entry, limit))
      const ended = await Promise.allSettled([...entries].map(end))
      const failed = ended.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}
