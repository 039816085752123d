import { type Clock, errorText } from '@palimpsest/core'
import { GatewayFault, shutdownFault, takenFault } from '../http/gateway-fault.ts'
import { ConversationPool } from '../pool/conversation-pool.ts'
import type { RunningCall } from '../pool/running-calls.ts'
import type { SessionLocks } from '../pool/session-locks.ts'
import type { ConversationIndex } from '../recognition/conversation-index.ts'
import { type Acquired, acquireNamed, recognise } from '../recognition/recognise.ts'
import { createLease, type Lease, type LeaseInput } from './lease.ts'
import {
  conversationId,
  type Loaded,
  loadConversation,
  type ModelFacts,
  type OpenSession,
} from './open-conversation.ts'

export type Conversations = ReturnType<typeof createConversations>

interface ConversationsInput {
  readonly open: OpenSession
  readonly index: ConversationIndex
  readonly locks: SessionLocks
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly limits: {
    readonly queue: number
    readonly conversations: number
    /** Milliseconds. */
    readonly idleConversation: number
  }
}

/** Said once: what differs only later, or not at all, is one conversation until then. */
const ALIKE =
  'warning: conversations without a name begin with the same messages behind one key; if several people use it, name their conversations with x-palimpsest-session'

/** The conversations of all clients: requests of one run one after the other, those of different ones at once. */
export function createConversations(input: ConversationsInput) {
  const { index, locks, clock, log, limits } = input
  const pool = new ConversationPool<Loaded>({
    locks,
    clock,
    limits: { queue: limits.queue, loaded: limits.conversations, idle: limits.idleConversation },
    queueFault: busyFault,
    end: ({ session }) =>
      session.end().catch((error) => log(`error: a conversation did not end well: ${errorText(error)}`)),
  })
  let isClosed = false
  let hasWarned = false
  const onAlike = () => {
    if (!hasWarned) log(ALIKE)
    hasWarned = true
  }

  const acquire = async ({ owner, name, prefix }: LeaseInput, signal: AbortSignal): Promise<Acquired> => {
    const tryTake = (of: string) => pool.tryTake(conversationId({ owner, name: of }), signal)
    if (name === undefined) return recognise({ index, owner, prefix, tryTake, onAlike })
    const lease = await pool.take(conversationId({ owner, name }), signal)
    return acquireNamed(index, { owner, name, prefix }, lease)
  }

  const load = async ({ lease, known }: Acquired, facts: ModelFacts): Promise<Loaded | undefined> => {
    try {
      return await loadConversation(lease, known, facts, { open: input.open, readHidden: index.hidden })
    } catch (error) {
      log(`error: the engine cannot be used: ${errorText(error)}`)
      return undefined
    }
  }

  return {
    /**
     * Finds or begins the conversation of a request, and waits for its turn. What the engine fails at is logged. The call
     * is stopped when another worker takes the conversation over.
     *
     * @throws GatewayFault; `signal.reason` on abort; errors of the index and of the locks.
     */
    async enter(request: LeaseInput, { signal, stop }: Pick<RunningCall, 'signal' | 'stop'>): Promise<Lease> {
      if (isClosed) throw shutdownFault()
      const { api, model, window, reserve, isMarked } = request
      const acquired = await acquire(request, signal)
      const loaded = await load(acquired, { api, model, window, reserve, isMarked })
      const onTaken = () => {
        const { name } = acquired.known
        log(`warning: an answer of ${name} was stopped: another worker has taken the conversation over`)
        stop(takenFault())
      }
      return createLease({ acquired, loaded, index, log, onTaken })
    },
    get loaded() {
      return pool.loaded
    },
    /** Requests that wait for others of their conversation. */
    get waiting() {
      return pool.waiting
    },
    /** Takes idle conversations out of memory. */
    unloadIdle: () => pool.unloadIdle(),
    /** Waits for what runs, and ends all. */
    async close(): Promise<void> {
      isClosed = true
      await pool.close()
    },
  }
}

function busyFault(waiting: number): GatewayFault {
  const message = `${waiting} requests of this conversation wait already`
  return new GatewayFault(429, 'conversation_busy', message, { retryAfter: 1 })
}
