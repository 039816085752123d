import type { Clock } from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'
import type { ConversationRecord, ServiceStore } from '../store/service-store.ts'
import type { Conversation, HeldCall } from './conversation.ts'
import { engineKey } from './engine-key.ts'
import { createSessionList, type Entry } from './session-list.ts'
import { createSessionTurnstile } from './session-turnstile.ts'

/**
 * All conversations of a service: calls of one session run one after the other, those of different ones at once. Other
 * workers on the store keep to that too: what one of them has in memory is read from the stores again when another one
 * went on with the session.
 */
export interface Conversations {
  /** Begins a new conversation in a session. */
  begin(session: string, repoName: string | undefined, signal: AbortSignal): Promise<ConversationRecord>
  /** Runs on the latest conversation of a session. */
  run<T>(
    session: string,
    signal: AbortSignal,
    task: (conversation: Conversation, held: HeldCall) => Promise<T>,
    options?: RunOptions,
  ): Promise<T>
  /** How many are in memory. */
  readonly loaded: number
  /** Takes out of memory what nobody asked for a while. */
  unloadIdle(): Promise<void>
  /** Waits for what runs, and ends all. Later calls are refused. */
  close(): Promise<void>
}

export interface RunOptions {
  /** Begins a conversation when there is none. Default false. */
  readonly mayBegin?: boolean
  /** Tells whether a conversation in memory has to be read from the stores again before the task. Default: never. */
  readonly isStale?: (conversation: Conversation) => Promise<boolean>
}

export interface ConversationsInput {
  readonly store: Pick<ServiceStore, 'find' | 'begin' | 'holds'>
  /** Whether the engine's stores have something of a key already, such as what was copied into them. */
  readonly isKnown: (key: string) => Promise<boolean>
  readonly open: (record: ConversationRecord, signal: AbortSignal) => Promise<Conversation>
  readonly clock: Clock
  readonly limits: {
    /** Calls of one session at once. */
    readonly queue: number
    /** Conversations in memory at once. */
    readonly loaded: number
    /** Milliseconds without a call after which one leaves the memory. */
    readonly idle: number
    /** Milliseconds that a call waits for another worker. */
    readonly hold: number
  }
}

/** How long the end of a conversation waits for another worker that has its session, in milliseconds. */
const END_LIMIT = 5_000

export function createConversations({
  store,
  isKnown,
  open,
  clock,
  limits,
}: ConversationsInput): Conversations {
  const turnstile = createSessionTurnstile(store.holds, limits.hold)
  const list = createSessionList({ clock, limits, turnstile })
  let isClosed = false

  const assertOpen = (): void => {
    if (isClosed)
      throw new ServiceFault(503, 'shutting-down', 'the service is shutting down', { retryAfter: 5 })
  }

  /**
   * A new conversation under a key that the engine does not know: handed another history under one that it knows, it
   * would take back all that it has of it.
   */
  const beginAnew = async (session: string, repoName: string | undefined): Promise<ConversationRecord> => {
    let epoch = ((await store.find(session))?.epoch ?? 0) + 1
    while (await isKnown(engineKey({ session, epoch }))) epoch++
    return store.begin(session, repoName, clock.now(), epoch)
  }

  /** What is in memory, when it is the whole of what is stored; else it is read from the stores. */
  const current = async (
    entry: Entry,
    record: ConversationRecord,
    { signal, hold }: HeldCall,
    isStale: NonNullable<RunOptions['isStale']>,
  ): Promise<Conversation> => {
    const { conversation, token } = entry
    if (conversation !== undefined) {
      const isSame = conversation.record.no === record.no && conversation.turns === record.turns
      const isAlone = hold.token - token <= 1
      if (!isSame || !isAlone || (await isStale(conversation))) await list.unload(entry)
    }
    entry.token = hold.token
    return list.load(entry, () => open(record, signal))
  }

  /** The end of what is spent: under a hold, because an engine writes then what it could not write before. */
  const end = (session: string, entry: Entry, { hold }: HeldCall): Promise<void> =>
    hold.signal.aborted ? list.unloadHeld(session, entry, END_LIMIT) : list.unload(entry)

  return {
    async begin(session, repoName, signal) {
      assertOpen()
      return list.inQueue(session, signal, (entry) =>
        turnstile.pass(session, signal, async () => {
          await list.unload(entry)
          return beginAnew(session, repoName)
        }),
      )
    },
    async run<T>(
      session: string,
      signal: AbortSignal,
      task: (conversation: Conversation, held: HeldCall) => Promise<T>,
      { mayBegin = false, isStale = async () => false }: RunOptions = {},
    ) {
      assertOpen()
      if (!mayBegin && (await store.find(session)) === undefined)
        throw new ServiceFault(404, 'unknown-session', `there is no session "${session}"`, {
          path: 'session',
        })
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const running = list.inQueue(session, signal, (entry) =>
        turnstile.pass(session, signal, async (hold) => {
          const held = { signal: AbortSignal.any([signal, hold.signal]), hold }
          const record = (await store.find(session)) ?? (await beginAnew(session, undefined))
          const conversation = await current(entry, record, held, isStale)
          const done = task(conversation, held)
          await done.catch(() => {})
          if (conversation.isSpent) {
            // The caller need not wait for the end, the next call does.
            resolve(done)
            await end(session, entry, held)
          }
          return done
        }),
      )
      running.then(resolve, reject)
      return promise
    },
    get loaded() {
      return list.held
    },
    unloadIdle: () => list.unloadIdle(),
    async close() {
      isClosed = true
      await list.close(END_LIMIT)
    },
  }
}
