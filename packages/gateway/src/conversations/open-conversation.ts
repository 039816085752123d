import type { ContextSession } from '@palimpsest/core'
import type { PoolLease } from '../pool/conversation-pool.ts'
import type { HiddenAnswers, KnownConversation } from '../recognition/conversation-index.ts'

/** The model of a request. */
export interface ModelFacts {
  /** The name of the API that it is asked by. */
  readonly api: string
  readonly model: string
  /** Its window, in tokens. */
  readonly window: number
  /** Tokens of it that the answer may take. */
  readonly reserve: number
  /** Whether the client sets cache breakpoints itself. */
  readonly isMarked: boolean
}

/** A conversation in memory. */
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
