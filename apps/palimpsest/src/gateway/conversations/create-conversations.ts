import { type Clock, type ContextSession, errorText } from '@palimpsest/core'
import { shutdownFault } from '../http/gateway-fault.ts'
import {
  type ConversationIndex,
  type KnownConversation,
  newConversation,
} from '../recognition/conversation-index.ts'
import { keepHidden } from '../recognition/hidden-answers.ts'
import { recognise } from '../recognition/recognise.ts'
import type { Lease, LeaseInput, ModelFacts } from './lease.ts'
import { createTurnLock, type TurnLock } from './turn-lock.ts'

/** The conversations of all clients: requests of one run one after the other, those of different ones at once. */
export interface Conversations {
  /**
   * Finds or begins the conversation of a request, and waits for its turn. What the engine fails at is logged.
   *
   * @throws GatewayFault; `signal.reason` on abort.
   */
  enter(request: LeaseInput, signal: AbortSignal): Promise<Lease>
  /** How many are in memory. */
  readonly loaded: number
  /** Takes out of memory what nobody used for a while. */
  unloadIdle(): Promise<void>
  /** Waits for what runs, and ends all. */
  close(): Promise<void>
}

interface ConversationsInput {
  readonly index: ConversationIndex
  readonly open: (conversation: KnownConversation, facts: ModelFacts) => Promise<ContextSession>
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly limits: {
    readonly queue: number
    readonly conversations: number
    /** Milliseconds. */
    readonly idleConversation: number
  }
}

interface Entry {
  readonly lock: TurnLock
  loaded: { readonly session: ContextSession; readonly opened: ModelFacts; facts: ModelFacts } | undefined
  lastUsed: number
}

export function createConversations(input: ConversationsInput): Conversations {
  const { index, open, clock, log, limits } = input
  const entries = new Map<string, Entry>()
  let isClosed = false
  const keyOf = ({ owner, name }: KnownConversation) => `${owner}\n${name}`

  const entryOf = (key: string): Entry => {
    const entry = entries.get(key) ?? {
      lock: createTurnLock(limits.queue),
      loaded: undefined,
      lastUsed: clock.now(),
    }
    entries.set(key, entry)
    return entry
  }

  const unload = async (entry: Entry): Promise<void> => {
    const { loaded } = entry
    entry.loaded = undefined
    await loaded?.session
      .end()
      .catch((error) => log(`error: a conversation did not end well: ${errorText(error)}`))
  }

  /** In its turn, so that it is not loaded again before it has ended. */
  const drop = async ([key, entry]: readonly [string, Entry]): Promise<void> => {
    await entry.lock.runAnyway(() => unload(entry))
    if (entry.lock.isFree) entries.delete(key)
  }

  const idleSince = (time: number) =>
    [...entries].filter(([, { lock, lastUsed }]) => lock.isFree && lastUsed <= time)

  /** Those that are being answered stay, however many they are. */
  const makeRoom = async (): Promise<void> => {
    const held = [...entries].filter(([, { loaded }]) => loaded !== undefined)
    const idle = held.filter(([, { lock }]) => lock.isFree).sort(([, a], [, b]) => a.lastUsed - b.lastUsed)
    await Promise.all(idle.slice(0, Math.max(0, held.length + 1 - limits.conversations)).map(drop))
  }

  const load = async (entry: Entry, known: KnownConversation, facts: ModelFacts) => {
    const { loaded } = entry
    if (loaded === undefined) {
      await makeRoom()
      const session = await open(known, facts)
      entry.loaded = { session, opened: facts, facts }
      return session
    }
    const { session, opened, facts: before } = loaded
    if (before.model !== facts.model || before.window !== facts.window || before.reserve !== facts.reserve) {
      // A session reserves for the answer what it was opened with: the difference is taken from the window.
      const contextLength = facts.window - (facts.reserve - opened.reserve)
      await session.updateModel({ contextLength, model: facts.model })
      loaded.facts = facts
    }
    return session
  }

  return {
    async enter({ owner, name, trail, model, window, reserve }, signal) {
      if (isClosed) throw shutdownFault()
      const isBusy = (known: KnownConversation) => entries.get(keyOf(known))?.lock.isBusy ?? false
      const known =
        name === undefined
          ? recognise({ index, owner, trail, isBusy })
          : (index.find(owner, name) ?? newConversation(owner, name, null))
      // Before anything is waited for: a request that comes meanwhile must not take it for free.
      if (index.find(owner, known.name) === undefined) index.save(known)
      const entry = entryOf(keyOf(known))
      const release = await entry.lock.take(signal)
      let session: ContextSession | undefined
      try {
        session = await load(entry, known, { model, window, reserve })
      } catch (error) {
        log(`error: the engine cannot be used: ${errorText(error)}`)
      }
      return {
        known: index.find(owner, known.name) ?? known,
        session,
        fail: () => {
          // Behind this request, and before the next.
          void entry.lock.runAnyway(() => unload(entry))
        },
        remember: (trail, hidden) => index.save({ ...known, trail, hidden: keepHidden(hidden, trail) }),
        release() {
          entry.lastUsed = clock.now()
          release()
        },
      }
    },
    get loaded() {
      return [...entries.values()].filter(({ loaded }) => loaded !== undefined).length
    },
    async unloadIdle() {
      await Promise.all(idleSince(clock.now() - limits.idleConversation).map(drop))
    },
    async close() {
      isClosed = true
      await Promise.all([...entries].map(drop))
    },
  }
}
