import { type Clock, type ContextSession, errorText } from '@palimpsest/core'
import type { KnownConversation } from '../recognition/conversation-index.ts'
import type { HiddenAnswers } from '../recognition/hidden-answers.ts'
import { conversationId } from './conversation-id.ts'
import type { ModelFacts } from './lease.ts'
import type { SessionHold, SessionHolds } from './session-holds.ts'
import { createTurnLock, type TurnLock } from './turn-lock.ts'

/** A conversation in memory. */
export interface Loaded {
  readonly session: ContextSession
  hidden: HiddenAnswers
  /** The last claim that this worker has answered. */
  claim: number
  /** True when it is not to be used any more. */
  isSpoiled: boolean
}

/** One that this process knows of, in memory or not. */
export interface Entry {
  /** The conversation's id. */
  readonly id: string
  readonly lock: TurnLock
  loaded: (Loaded & { readonly opened: ModelFacts; facts: ModelFacts }) | undefined
  lastUsed: number
}

/** The conversations in memory, which are as few as the limits say. */
export interface LoadedConversations {
  readonly count: number
  entryOf(conversation: Pick<KnownConversation, 'owner' | 'name'>): Entry
  /**
   * The conversation as it is now: one that another worker has answered since is read anew. The caller has its seat.
   * Rejects when the engine or the index cannot be used.
   */
  load(entry: Entry, known: KnownConversation, facts: ModelFacts): Promise<Loaded>
  unloadIdle(): Promise<void>
  /** Waits for what runs, and ends all. */
  close(): Promise<void>
}

/** What a session is opened for, in the words of `createContextSession`. */
export interface OpenedConversation {
  /** Tells the conversation apart from all others, in the stores of engines too. */
  readonly sessionId: string
  /** The window of the request's model, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are kept free for the answer. */
  readonly maxOutputTokens: number
  /** Undefined when the request names no model. */
  readonly modelName: string | undefined
  readonly platform: 'gateway'
  /**
   * Whether its client named it. One without a name may be of several clients whose lists were alike so far: what one of them
   * said and the list has no longer is nothing that the others' model may read.
   */
  readonly isNamed: boolean
  /** Whether the client sets cache breakpoints itself: those that a session plans are not sent then. */
  readonly isMarked: boolean
}

/** Opens the session of a conversation. */
export type OpenSession = (conversation: OpenedConversation) => ContextSession | Promise<ContextSession>

export interface LoadedConversationsInput {
  readonly open: OpenSession
  readonly readHidden: (conversation: KnownConversation) => Promise<HiddenAnswers>
  readonly holds: SessionHolds
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly limits: {
    readonly queue: number
    readonly conversations: number
    /** Milliseconds. */
    readonly idleConversation: number
  }
}

/** How long the end of the process waits for other workers that answer the same conversations, in milliseconds. */
const CLOSE_LIMIT = 5_000

export function createLoadedConversations(input: LoadedConversationsInput): LoadedConversations {
  const { open, readHidden, holds, clock, log, limits } = input
  const entries = new Map<string, Entry>()

  const end = async (entry: Entry): Promise<void> => {
    const { loaded } = entry
    entry.loaded = undefined
    await loaded?.session
      .end()
      .catch((error) => log(`error: a conversation did not end well: ${errorText(error)}`))
  }

  /**
   * Ends one in its turn, so that it is not loaded again before it has ended. Its engine may have something left to
   * write, which must not get in between what another worker writes: without a hold it stays, and is looked at again
   * when it was idle for as long once more.
   */
  const drop = (entry: Entry, takeHold: (id: string) => Promise<SessionHold | undefined>): Promise<void> =>
    entry.lock.runAnyway(async () => {
      if (entry.loaded === undefined) return
      const hold = await takeHold(entry.id)
      entry.lastUsed = clock.now()
      if (hold === undefined) return
      await end(entry)
      await hold.release()
    })
  const dropAll = async (
    dropped: readonly Entry[],
    takeHold: Parameters<typeof drop>[1] = (id) => holds.tryTake(id).catch(() => undefined),
  ): Promise<void> => {
    await Promise.all(
      dropped.map(async (entry) => {
        await drop(entry, takeHold)
        if (entry.lock.isFree && entry.loaded === undefined) entries.delete(entry.id)
      }),
    )
  }

  /** Those that are being answered stay, however many they are. */
  const makeRoom = async (): Promise<void> => {
    const held = [...entries.values()].filter(({ loaded }) => loaded !== undefined)
    const idle = held.filter(({ lock }) => lock.isFree).sort((a, b) => a.lastUsed - b.lastUsed)
    await dropAll(idle.slice(0, Math.max(0, held.length + 1 - limits.conversations)))
  }

  const tellModel = async (loaded: NonNullable<Entry['loaded']>, facts: ModelFacts): Promise<void> => {
    const { session, opened, facts: before } = loaded
    if (before.model === facts.model && before.window === facts.window && before.reserve === facts.reserve)
      return
    // A session reserves for the answer what it was opened with: the difference is taken from the window.
    const contextLength = facts.window - (facts.reserve - opened.reserve)
    await session.updateModel({ contextLength, model: facts.model })
    loaded.facts = facts
  }

  return {
    get count() {
      return [...entries.values()].filter(({ loaded }) => loaded !== undefined).length
    },
    entryOf(conversation) {
      const id = conversationId(conversation)
      const lock = () => createTurnLock(limits.queue)
      const entry = entries.get(id) ?? { id, lock: lock(), loaded: undefined, lastUsed: clock.now() }
      entries.set(id, entry)
      return entry
    },
    async load(entry, known, facts) {
      const { loaded } = entry
      // Whoever answers counts up: with a number between, somebody else has.
      if (loaded !== undefined && (loaded.isSpoiled || loaded.claim + 1 !== known.claim)) await end(entry)
      if (entry.loaded === undefined) {
        await makeRoom()
        const hidden = await readHidden(known)
        const session = await open(toOpen(entry.id, known, facts))
        const { claim } = known
        entry.loaded = { session, hidden, claim, isSpoiled: false, opened: facts, facts }
        return entry.loaded
      }
      await tellModel(entry.loaded, facts)
      entry.loaded.claim = known.claim
      return entry.loaded
    },
    async unloadIdle() {
      const time = clock.now() - limits.idleConversation
      await dropAll([...entries.values()].filter(({ lock, lastUsed }) => lock.isFree && lastUsed <= time))
    },
    async close() {
      const signal = AbortSignal.timeout(CLOSE_LIMIT)
      const none: SessionHold = { token: 0, signal, release: async () => {} }
      await dropAll([...entries.values()], (id) => holds.take(id, signal).catch(() => none))
    },
  }
}

function toOpen(
  sessionId: string,
  { isNamed }: KnownConversation,
  { model, window, reserve, isMarked }: ModelFacts,
): OpenedConversation {
  return {
    ...{ sessionId, contextLength: window, maxOutputTokens: reserve, modelName: model || undefined },
    ...{ platform: 'gateway', isNamed, isMarked },
  }
}
