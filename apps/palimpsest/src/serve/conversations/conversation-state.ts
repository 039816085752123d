import type {
  ChatModel,
  Clock,
  ContextSession,
  Message,
  Prepared,
  StoredProjection,
  TokenCounter,
  Warning,
} from '@palimpsest/core'
import type { SessionLock } from '@palimpsest/gateway'
import type { PromptCache } from '../../prompt-cache.ts'
import type { PromptBreakdown } from '../http/schemas.ts'
import type { ConversationRecord, ServiceStore } from '../store/service-store.ts'
import { promptBreakdown } from './prompt-breakdown.ts'
import type { CodePiece } from './system-prompt.ts'

/** The warning of a session whose engine failed in a part of its work. */
const ENGINE_FAILED = 'engine-failed'

/** A call that has the session for itself. */
export interface LockedCall {
  /** Of the caller, and of the lock: aborted when another worker may have the session. */
  readonly signal: AbortSignal
  readonly lock: SessionLock
}

export interface QueryInput {
  readonly query: string
  /** The frame of the question; it is said before it. */
  readonly task?: string | undefined
  /** Code for this turn; without it, that of the turn before stays. */
  readonly codes?: readonly CodePiece[] | undefined
  /** The caller's name for this request: asked again, it is answered from the record. */
  readonly requestId?: string | undefined
}

export interface ShownPrompt {
  readonly messages: readonly Message[]
  readonly breakdown: PromptBreakdown
}

export interface ConversationInput {
  readonly record: ConversationRecord
  readonly store: ServiceStore
  readonly session: ContextSession
  /** What is stored of the session's last compaction. */
  readonly projection: StoredProjection | undefined
  /** Holds the list against what the engine stored of it. Rejects when they contradict each other. */
  readonly assertSame: (messages: readonly Message[]) => Promise<void>
  /** Metered already. */
  readonly model: ChatModel
  /** Of the model's provider. */
  readonly promptCache: Pick<PromptCache, 'mark'>
  readonly notice: string | undefined
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** A conversation as it is in memory. */
export interface ConversationState {
  readonly messages: Message[]
  system: string
  turns: number
  isSpent: boolean
  /** As it is stored. */
  projection: StoredProjection | undefined
  shown: ShownPrompt | undefined
}

export function shownPrompt(
  { tokens }: ConversationInput,
  { messages, origins, tools }: Prepared,
  system: string,
): ShownPrompt {
  return { messages, breakdown: promptBreakdown({ messages, origins, tools, system, tokens }) }
}

/** An engine that could not write, such as one that another worker was faster than, begins anew with the next call. */
export function heed(
  { store }: ConversationInput,
  state: ConversationState,
  warnings: readonly Warning[],
): void {
  if (store.kind === 'postgres') state.isSpent ||= warnings.some(({ code }) => code === ENGINE_FAILED)
}
