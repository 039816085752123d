import { randomUUID } from 'node:crypto'
import { type Clock, type ContextSession, errorText, PalimpsestError } from '@palimpsest/core'
import { GatewayFault, shutdownFault, takenFault } from './http/gateway-fault.ts'
import {
  createConversationPool,
  LOCK_TAKEN,
  type PoolLease,
  type RunningCall,
  type SessionLocks,
} from './pool.ts'
import {
  type ConversationIndex,
  type HiddenAnswers,
  type KnownConversation,
  notEdited,
} from './recognition/conversation-index.ts'
import { createKnownEnds } from './recognition/known-ends.ts'
import { checkpointOf, firstCheckpoint, knownLength, type PrefixHashes } from './recognition/prefix-hashes.ts'

interface RequestFacts {
  readonly api: string
  readonly modelName: string | undefined
  readonly contextLength: number
  readonly maxOutputTokens: number
  /** True if the client sets breakpoints itself, or its API has none: the session's breakpoints are then not sent. */
  readonly isMarked: boolean
}

export interface OpenedConversation extends RequestFacts {
  /** Identifies the conversation in all stores. */
  readonly sessionId: string
  readonly platform: 'gateway'
  /**
   * True if the client named the conversation. An unnamed one may belong to several clients with the same list so far,
   * so what one of them said and removed must not reach the others' model.
   */
  readonly isNamed: boolean
}

/** Opens the session of a conversation. */
export type OpenSession = (conversation: OpenedConversation) => ContextSession | Promise<ContextSession>

/** The conversation's id among those of all clients, in engines' stores, among workers, and on the page. */
export function conversationId({ owner, name }: Pick<KnownConversation, 'owner' | 'name'>): string {
  return `gateway:${owner}:${name}`
}

/** The name of the first conversation that starts with a message. `anchor`: the anchor of its first checkpoint. */
export function firstName(anchor: string): string {
  return `c-${anchor}`
}

export interface LeaseInput {
  readonly owner: string
  /** The client's name of the conversation; undefined if it is recognised by its list. */
  readonly name: string | undefined
  readonly prefix: PrefixHashes
  readonly facts: RequestFacts
}

interface Loaded {
  readonly session: ContextSession
  hidden: HiddenAnswers
  token: number
  /** True if it must not be used any more. */
  isSpoiled: boolean
  readonly opened: RequestFacts
  facts: RequestFacts
}

interface Acquired {
  readonly known: KnownConversation
  /** True if the list lacks messages of the conversation. */
  readonly isTrimmed?: boolean
  readonly lease: PoolLease<Loaded>
}

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
    readonly remembered: number
  }
}

/** Reported once per conversation: identical starts are one conversation until they differ. */
const ALIKE =
  'warning: conversations without a name begin with the same messages behind one key; if several people use it, name their conversations with x-palimpsest-session'

const TRIMMED =
  'the client has left out older messages of the conversation, so the engine reads the list anew; let the client send its whole history, which the gateway shortens'

export type Conversations = ReturnType<typeof createConversations>

export type Lease = Awaited<ReturnType<Conversations['enter']>>

export function createConversations({ open, index, locks, clock, log, limits }: ConversationsInput) {
  const pool = createConversationPool<Loaded>({
    locks,
    clock,
    limits: { queue: limits.queue, loaded: limits.conversations, idle: limits.idleConversation },
    queueFault: busyFault,
    end: ({ session }) =>
      session.end().catch((error) => log(`error: a conversation did not end well: ${errorText(error)}`)),
  })
  const ends = createKnownEnds(limits.remembered)
  let isClosed = false
  let hasWarned = false
  let hasWarnedOfTrimming = false
  const warnOfAlike = () => {
    if (!hasWarned) log(ALIKE)
    hasWarned = true
  }

  const hold = async (
    lease: PoolLease<Loaded> | undefined,
    find: () => Promise<KnownConversation | undefined>,
  ): Promise<Acquired | undefined> => {
    let known: KnownConversation | undefined
    try {
      known = lease && (await find())
    } finally {
      if (known === undefined) await lease?.release()
    }
    return lease && known && { known, lease }
  }

  const acquireTrimmed = async (
    owner: string,
    prefix: PrefixHashes,
    signal: AbortSignal,
  ): Promise<Acquired | undefined> => {
    const end = ends.find(owner, prefix)
    if (end === undefined) return undefined
    const { name, hash } = end
    const lease = await pool.tryTake(conversationId({ owner, name }), signal)
    const found = await hold(lease, () => index.acquire(owner, name))
    // Another worker may have continued it.
    if (found !== undefined && found.known.checkpoint.hashes.at(-1) !== hash) {
      await found.lease.release()
      return undefined
    }
    if (found !== undefined && !hasWarnedOfTrimming) log(`warning: ${TRIMMED}`)
    hasWarnedOfTrimming ||= found !== undefined
    return found && { ...found, isTrimmed: true }
  }

  /**
   * The conversation of a list without a name. It continues if the list grows, if only its last turn was changed
   * (another answer, or another last user message), and if a client leaves out old messages. Any other list starts a
   * new one, and so does one that arrives while an answer is running.
   */
  const recognise = async (owner: string, prefix: PrefixHashes, signal: AbortSignal): Promise<Acquired> => {
    const tryTake = (name: string) => pool.tryTake(conversationId({ owner, name }), signal)
    const lengthOf = ({ checkpoint }: KnownConversation) => knownLength(checkpoint, prefix) ?? -1
    const alike = [...(await index.alike(owner, prefix))].sort((a, b) => lengthOf(b) - lengthOf(a))
    for (const { name } of alike) {
      const found = await hold(await tryTake(name), () => index.acquire(owner, name))
      if (found === undefined) continue
      // Another request may have answered it before the lock was taken.
      if (lengthOf(found.known) !== -1) {
        if (beginsAgain(prefix, found.known)) warnOfAlike()
        return found
      }
      await found.lease.release()
    }
    const trimmed = await acquireTrimmed(owner, prefix, signal)
    if (trimmed !== undefined) return trimmed
    const checkpoint = firstCheckpoint(prefix)
    const first = firstName(checkpoint.anchor)
    for (let name = first; ; name = `${first}-${randomUUID().slice(0, 8)}`) {
      const begun = { owner, name, isNamed: false, checkpoint }
      const made = await hold(await tryTake(name), () => index.create(begun))
      if (made !== undefined) return made
      warnOfAlike()
    }
  }

  const acquireNamed = async (
    owner: string,
    name: string,
    prefix: PrefixHashes,
    signal: AbortSignal,
  ): Promise<Acquired> => {
    const begun = { owner, name, isNamed: true, checkpoint: firstCheckpoint(prefix) }
    const lease = await pool.take(conversationId(begun), signal)
    const acquire = () => index.acquire(owner, name)
    // The second attempt: it was created, but the answer to that was lost.
    const found = await hold(
      lease,
      async () => (await acquire()) ?? (await index.create(begun)) ?? (await acquire()),
    )
    if (found === undefined) throw new Error('a conversation that was made is found')
    return found
  }

  /** A conversation that another worker has answered since is opened again. */
  const load = async ({ lease, known }: Acquired, facts: RequestFacts): Promise<Loaded | undefined> => {
    const { value } = lease
    // Each answering worker increments the token, so a gap means another worker.
    const isCurrent = value !== undefined && !value.isSpoiled && value.token + 1 === known.token
    try {
      if (!isCurrent) await lease.unload()
      const loaded = await lease.load(async () => {
        const hidden = await index.hidden(known)
        const { isNamed } = known
        const session = await open({
          ...facts,
          sessionId: conversationId(known),
          platform: 'gateway',
          isNamed,
        })
        return { session, hidden, token: known.token, isSpoiled: false, opened: facts, facts }
      })
      await tellModel(loaded, facts)
      loaded.token = known.token
      return loaded
    } catch (error) {
      log(`error: the engine cannot be used: ${errorText(error)}`)
      return undefined
    }
  }

  const leaseOf = (
    { known, lease, isTrimmed = false }: Acquired,
    loaded: Loaded | undefined,
    onTaken: () => void,
  ) => {
    const { signal } = lease.lock
    // A lease that expired because the database was unreachable may still be this worker's, so its answer continues.
    const onLost = () => {
      if (PalimpsestError.isInstance(signal.reason) && signal.reason.code === LOCK_TAKEN) onTaken()
    }
    signal.addEventListener('abort', onLost)
    if (signal.aborted) onLost()
    const hidden: HiddenAnswers = loaded?.hidden ?? new Map()
    const fail = () => {
      if (loaded !== undefined) loaded.isSpoiled = true
    }
    return {
      known,
      hidden,
      warnings: isTrimmed ? [TRIMMED] : [],
      session: loaded?.session,
      /** True if another worker may have it: nothing may be written any more. */
      get isLost() {
        return signal.aborted
      },
      fail,
      async remember(prefix: PrefixHashes, added: HiddenAnswers): Promise<void> {
        const left = notEdited(new Map([...hidden, ...added]), prefix)
        const change = { checkpoint: checkpointOf(prefix), hidden: left }
        const isSaved = await index.save(known, change).catch((error) => {
          log(`warning: a conversation was not stored: ${errorText(error)}`)
          // The state in memory is not stored, so the next request reads the stores.
          fail()
        })
        if (isSaved === false) {
          fail()
          throw takenFault()
        }
        if (loaded !== undefined) loaded.hidden = left
        if (isSaved === true && !known.isNamed) ends.remember(known.owner, known.name, prefix)
      },
      async release(): Promise<void> {
        signal.removeEventListener('abort', onLost)
        // Unstored messages are read again from the client's list.
        if (signal.aborted || loaded?.session.log?.isDetached) fail()
        await lease.release()
      },
    }
  }

  return {
    /**
     * Finds or starts a request's conversation, and waits for its turn. Failures of the engine are logged. The call is
     * stopped if another worker takes the conversation over.
     *
     * @throws GatewayFault; errors of the index and locks; `signal.reason`.
     */
    async enter(request: LeaseInput, { signal, stop }: Pick<RunningCall, 'signal' | 'stop'>) {
      if (isClosed) throw shutdownFault()
      const { owner, name, prefix, facts } = request
      const acquired = await (name === undefined
        ? recognise(owner, prefix, signal)
        : acquireNamed(owner, name, prefix, signal))
      const loaded = await load(acquired, facts)
      return leaseOf(acquired, loaded, () => {
        const { known } = acquired
        log(`warning: an answer of ${known.name} was stopped: another worker has taken the conversation over`)
        stop(takenFault())
      })
    },
    get loaded() {
      return pool.loaded
    },
    get waiting() {
      return pool.waiting
    },
    unloadIdle: pool.unloadIdle,
    async close(): Promise<void> {
      isClosed = true
      await pool.close()
    },
  }
}

/** True for a list with only the first turn of a conversation that was already answered. */
function beginsAgain({ hashes, users }: PrefixHashes, { checkpoint }: KnownConversation): boolean {
  return users.length <= 1 && checkpoint.first + checkpoint.hashes.length > hashes.length
}

async function tellModel(loaded: Loaded, facts: RequestFacts): Promise<void> {
  const { session, opened, facts: before } = loaded
  const { modelName: model = '', contextLength: window, maxOutputTokens: reserve } = facts
  loaded.facts = facts
  if (
    before.modelName === facts.modelName &&
    before.contextLength === window &&
    before.maxOutputTokens === reserve
  )
    return
  // A session's reserve for the answer is fixed, so the difference is subtracted from the window.
  const contextLength = window - (reserve - opened.maxOutputTokens)
  await session.updateModel({ contextLength, model })
}

function busyFault(waiting: number): GatewayFault {
  const message = `${waiting} requests of this conversation wait already`
  return new GatewayFault(429, 'conversation_busy', message, { retryAfter: 1 })
}
