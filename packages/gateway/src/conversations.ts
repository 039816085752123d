import { randomUUID } from 'node:crypto'
import { type Clock, type ContextSession, errorText, PalimpsestError } from '@palimpsest/core'
import { GatewayFault, shutdownFault, takenFault } from './http/gateway-fault.ts'
import { ConversationPool, LOCK_TAKEN, type PoolLease, type RunningCall, type SessionLocks } from './pool.ts'
import {
  type ConversationIndex,
  editedAway,
  type HiddenAnswers,
  type KnownConversation,
} from './recognition/conversation-index.ts'
import { checkpointOf, firstCheckpoint, knownLength, type PrefixHashes } from './recognition/prefix-hashes.ts'

interface Acquired {
  readonly known: KnownConversation
  readonly lease: PoolLease<Loaded>
}

interface RecogniseInput {
  readonly index: ConversationIndex
  readonly owner: string
  readonly prefix: PrefixHashes
  /** Undefined when a request of this conversation is being answered. */
  readonly tryTake: (name: string) => Promise<PoolLease<Loaded> | undefined>
  /** Called when another conversation of the owner began with the same messages: it may be of another user. */
  readonly onAlike: () => void
}

/**
 * The conversation that a list without a name belongs to. It goes on when the list grows, and when only its last turn
 * was changed: another answer, another last message of the user. What parts from it earlier is a conversation of its
 * own, and so is what comes while an answer to it is under way.
 */
async function recognise(input: RecogniseInput): Promise<Acquired> {
  const { index, owner, prefix, tryTake, onAlike } = input
  const lengthOf = ({ checkpoint }: KnownConversation) => knownLength(checkpoint, prefix) ?? -1
  const alike = [...(await index.alike(owner, prefix))].sort((a, b) => lengthOf(b) - lengthOf(a))
  for (const { name } of alike) {
    const lease = await tryTake(name)
    const known = lease && (await underLease(lease, () => index.acquire(owner, name)))
    if (lease === undefined || known === undefined) continue
    // Another request may have answered it between the look at it and the lock.
    if (lengthOf(known) !== -1) {
      if (beginsAgain(prefix, known)) onAlike()
      return { known, lease }
    }
    await lease.release()
  }
  const checkpoint = firstCheckpoint(prefix)
  const first = firstName(checkpoint.anchor)
  for (let name = first; ; name = `${first}-${randomUUID().slice(0, 8)}`) {
    const lease = await tryTake(name)
    const known =
      lease && (await underLease(lease, () => index.create({ owner, name, isNamed: false, checkpoint })))
    if (lease !== undefined && known !== undefined) return { known, lease }
    onAlike()
  }
}

/** The name of the first conversation that begins with a message. `anchor`: of its first checkpoint. */
export function firstName(anchor: string): string {
  return `c-${anchor}`
}

/** Whether a list has only the first turn of a conversation that was answered already. */
function beginsAgain({ hashes, users }: PrefixHashes, { checkpoint }: KnownConversation): boolean {
  return users.length <= 1 && checkpoint.first + checkpoint.hashes.length > hashes.length
}

async function acquireNamed(
  index: ConversationIndex,
  { owner, name, prefix }: { readonly owner: string; readonly name: string; readonly prefix: PrefixHashes },
  lease: PoolLease<Loaded>,
): Promise<Acquired> {
  const checkpoint = firstCheckpoint(prefix)
  const known = await underLease(
    lease,
    async () =>
      (await index.acquire(owner, name)) ??
      (await index.create({ owner, name, isNamed: true, checkpoint })) ??
      // It was made, and the answer to that was lost.
      index.acquire(owner, name),
  )
  if (known === undefined) throw new Error('a conversation that was made is found')
  return { known, lease }
}

async function underLease(
  lease: PoolLease<Loaded>,
  work: () => Promise<KnownConversation | undefined>,
): Promise<KnownConversation | undefined> {
  let known: KnownConversation | undefined
  try {
    known = await work()
    return known
  } finally {
    if (known === undefined) await lease.release()
  }
}

export interface ModelFacts {
  readonly api: string
  readonly model: string
  readonly window: number
  readonly reserve: number
  readonly isMarked: boolean
}

export interface Loaded {
  readonly session: ContextSession
  hidden: HiddenAnswers
  /** The token of the last request that this worker has answered. */
  token: number
  /** True when it is not to be used any more. */
  isSpoiled: boolean
  readonly opened: ModelFacts
  facts: ModelFacts
}

/** The facts that a session is opened with, in the words of `createContextSession`. */
export interface OpenedConversation {
  /** Tells the conversation apart from all others, in the stores of engines too. */
  readonly sessionId: string
  /** The window of the request's model, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are kept free for the answer. */
  readonly maxOutputTokens: number
  /** Undefined when the request names no model. */
  readonly modelName: string | undefined
  /** The name of the wire format that its client speaks: `openai-chat` or `anthropic-messages`. */
  readonly api: string
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

interface ConversationSources {
  readonly open: OpenSession
  readonly readHidden: (conversation: KnownConversation) => Promise<HiddenAnswers>
}

/**
 * The conversation of a lease as it is now: one that another worker has answered since is read anew. Rejects when the engine
 * or the index cannot be used.
 */
export async function loadConversation(
  lease: PoolLease<Loaded>,
  known: KnownConversation,
  facts: ModelFacts,
  { open, readHidden }: ConversationSources,
): Promise<Loaded> {
  const { value } = lease
  // Each worker that answers counts up: with a number between, another one has.
  const isCurrent = value !== undefined && !value.isSpoiled && value.token + 1 === known.token
  if (!isCurrent) await lease.unload()
  const loaded = await lease.load(async () => {
    const hidden = await readHidden(known)
    const session = await open(toOpen(known, facts))
    return { session, hidden, token: known.token, isSpoiled: false, opened: facts, facts }
  })
  if (isCurrent) {
    await tellModel(loaded, facts)
    loaded.token = known.token
  }
  return loaded
}

async function tellModel(loaded: Loaded, facts: ModelFacts): Promise<void> {
  const { session, opened, facts: before } = loaded
  if (before.model === facts.model && before.window === facts.window && before.reserve === facts.reserve)
    return
  // A session reserves for the answer what it was opened with: the difference is taken from the window.
  const contextLength = facts.window - (facts.reserve - opened.reserve)
  await session.updateModel({ contextLength, model: facts.model })
  loaded.facts = facts
}

function toOpen(known: KnownConversation, facts: ModelFacts): OpenedConversation {
  return {
    sessionId: conversationId(known),
    contextLength: facts.window,
    maxOutputTokens: facts.reserve,
    modelName: facts.model || undefined,
    api: facts.api,
    platform: 'gateway',
    isNamed: known.isNamed,
    isMarked: facts.isMarked,
  }
}

/** The name of a conversation among those of all clients: in the stores of engines, among workers, and on the page. */
export function conversationId({ owner, name }: Pick<KnownConversation, 'owner' | 'name'>): string {
  return `gateway:${owner}:${name}`
}

export interface LeaseInput extends ModelFacts {
  readonly owner: string
  /** The client's name of the conversation; without one it is recognised by its list. */
  readonly name: string | undefined
  readonly prefix: PrefixHashes
}

/** A conversation for the time of one request: no other request has it meanwhile. */
export interface Lease {
  readonly known: KnownConversation
  readonly hidden: HiddenAnswers
  readonly session: ContextSession | undefined
  /** True when another worker may have it by now: nothing may be written any more. */
  readonly isLost: boolean
  /** The engine failed: the next request tries a new session. */
  fail(): void
  /**
   * Remembers the client's list, and the hidden part of the last answer. A failure to store is logged.
   *
   * @throws GatewayFault 409 when another worker has taken the conversation over.
   */
  remember(prefix: PrefixHashes, hidden: HiddenAnswers): Promise<void>
  /** Resolves when the next request can have it, here or at another worker. May be called more than once. */
  release(): Promise<void>
}

interface NewLease {
  readonly acquired: Acquired
  readonly loaded: Loaded | undefined
  readonly index: Pick<ConversationIndex, 'save'>
  readonly log: (line: string) => void
  /** Called when another worker has taken the conversation before it is released. */
  readonly onTaken: () => void
}

export function createLease({ acquired, loaded, index, log, onTaken }: NewLease): Lease {
  const { known, lease } = acquired
  const { signal } = lease.lock
  // A lease that ran out because the database is away may still be this worker's: its answer goes on.
  const onLost = () => {
    if (PalimpsestError.isInstance(signal.reason) && signal.reason.code === LOCK_TAKEN) onTaken()
  }
  signal.addEventListener('abort', onLost)
  if (signal.aborted) onLost()
  const hidden = loaded?.hidden ?? new Map()
  const fail = () => {
    if (loaded !== undefined) loaded.isSpoiled = true
  }
  return {
    known,
    hidden,
    session: loaded?.session,
    get isLost() {
      return signal.aborted
    },
    fail,
    async remember(prefix, added) {
      const all = new Map([...hidden, ...added])
      const dropped = editedAway(all, prefix)
      const change = { checkpoint: checkpointOf(prefix), hidden: added, dropped }
      const isSaved = await index.save(known, change).catch((error) => {
        log(`warning: a conversation was not stored: ${errorText(error)}`)
        // The state in memory is in no store: the next request reads the stores.
        fail()
      })
      if (isSaved === false) {
        fail()
        throw takenFault()
      }
      for (const hash of dropped) all.delete(hash)
      if (loaded !== undefined) loaded.hidden = all
    },
    async release() {
      signal.removeEventListener('abort', onLost)
      // The part of the answer that the engine has not seen is read anew.
      if (signal.aborted) fail()
      await lease.release()
    },
  }
}

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
    readonly idleConversation: number
  }
}

/** Said once: what differs only later, or not at all, is one conversation until then. */
const ALIKE =
  'warning: conversations without a name begin with the same messages behind one key; if several people use it, name their conversations with x-palimpsest-session'

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
    get waiting() {
      return pool.waiting
    },
    unloadIdle: () => pool.unloadIdle(),
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
