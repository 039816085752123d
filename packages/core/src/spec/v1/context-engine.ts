import type { EngineCapability } from './capability.ts'
import type { CompressCall } from './compress-call.ts'
import type { CompressResult } from './compress-result.ts'
import type { EngineStatus } from './engine-status.ts'
import type { Message } from './message.ts'
import type { Origin } from './origin.ts'
import type { ToolSchema } from './tool-schema.ts'
import type { Usage } from './usage.ts'
import type { Warning } from './warning.ts'

/** The beginning of a conversation, as far as the host tells it. */
export interface SessionStart {
  readonly sessionId: string
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** The name of the model that answers. Absent when the host does not say. */
  readonly model?: string
  /** Where the conversation takes place, such as `cli` or `gateway`. Absent when the host does not say. */
  readonly platform?: string
  /**
   * An absolute path for what the engine keeps on the disk, its own for all sessions. It need not exist: an engine that
   * writes there makes it. Absent when the host has no such place.
   */
  readonly dataFolder?: string
}

export interface Ingest {
  /** New messages of the transcript. Frozen. Empty when the host only took messages back. */
  readonly messages: readonly Message[]
  /**
   * Index in the transcript of the first of them. Smaller than what was ingested so far when the host edited
   * its history, or when an earlier call failed: what stood from here on is replaced. A new text of the system
   * prompt is no edit: it arrives with the next list of messages.
   */
  readonly from: number
}

export interface TurnComplete {
  /** The whole transcript, the answer included. Frozen. Made when it is first read, until the call has settled. */
  readonly messages: readonly Message[]
  /** Null when the turn was interrupted before the provider reported anything. */
  readonly usage: Usage | null
  readonly interrupted: boolean
}

export interface CompactionBoundary {
  readonly result: CompressResult
  /** The length of the transcript at that time. */
  readonly transcriptLength: number
}

export interface ModelUpdate {
  /** The new model's window, in tokens. */
  readonly contextLength: number
  readonly model?: string
}

export interface SelectCall {
  /** The projection. Frozen. */
  readonly messages: readonly Message[]
  /** Where each of them comes from. Absent when the host has no session. */
  readonly origins?: readonly Origin[]
  /** The largest size of the projection, in tokens. */
  readonly budgetTokens: number
  readonly signal?: AbortSignal
}

/** Messages for one request. */
export interface SelectedContext {
  readonly messages: readonly Message[]
  /** Where each of them comes from. Default: the session finds out by comparing them with those of the call. */
  readonly origins?: readonly Origin[]
}

/**
 * A context engine: one instance serves one session. Methods that may wait are asynchronous.
 * Inputs are frozen and never mutated; the laws of `docs/design.md`, section 4, hold for every output.
 */
export interface ContextEngine {
  /** The version of the contract. */
  readonly apiVersion: 1
  /** Kebab-case, stable. */
  readonly name: string
  /** The capabilities of this engine, with its options. Default: those that its parts show. */
  readonly capabilities: readonly EngineCapability[]

  /** Prompt tokens of the last response; 0 before the first. */
  readonly lastPromptTokens: number
  readonly lastCompletionTokens: number
  readonly lastTotalTokens: number
  /** Prompt size from which `shouldCompress` says yes, in tokens. */
  readonly thresholdTokens: number
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Compactions that `compress` returned in this session. */
  readonly compressionCount: number

  /** Takes the usage of a response. The latest replaces what was there. */
  updateFromResponse(usage: Usage): void
  /** Synchronous, pure and cheap. Default for `promptTokens`: `lastPromptTokens`. */
  shouldCompress(input?: { readonly promptTokens?: number }): boolean
  /** Makes the projection smaller. Rejects only on abort and on misuse. */
  compress(call: CompressCall): Promise<CompressResult>

  /** New messages of the transcript, before the request goes out. Resolves with what the user should know. Default: nothing. */
  ingest(input: Ingest): Promise<readonly Warning[]>
  /** A cheap check without a token count, before a request. Default: false. */
  shouldCompressPreflight(messages: readonly Message[]): boolean
  /**
   * Shortens old tool results without a model. Asked before each request for which no compaction is due; a list
   * with fewer tokens becomes the projection. Default: nothing, the same array.
   */
  pruneToolResults(messages: readonly Message[], origins?: readonly Origin[]): Promise<readonly Message[]>
  /** Request-only placement; never written back. Null keeps the projection. Default: null. */
  selectContext(call: SelectCall): Promise<SelectedContext | null>
  /** After an answer that calls no tool. Default: nothing. */
  onTurnComplete(turn: TurnComplete): Promise<void>
  /** Whether a manual compaction would find anything to do. Default: true. */
  hasContentToCompress(messages: readonly Message[]): boolean
  /**
   * Before the first call of a conversation: the session's first, or the one after a reset. When it rejects, the session
   * goes on without it, warns its host, and asks again before the next call.
   */
  onSessionStart(start: SessionStart): Promise<void>
  /** The whole transcript, the last answer included. Terminal: nothing is called afterwards but `dispose`. */
  onSessionEnd(messages: readonly Message[]): Promise<void>
  /** The conversation is forgotten: counters and summaries are gone. `onSessionStart` follows with the next call. */
  onSessionReset(): Promise<void>
  /** A compaction was committed. Not the end of a session. */
  onCompactionBoundary(boundary: CompactionBoundary): Promise<void>
  /** The host changed the model: the threshold is computed anew. */
  updateModel(update: ModelUpdate): void
  /** Tools that the model may call. One without a name has the empty name and is not offered. Default: none. */
  toolSchemas(): readonly ToolSchema[]
  /** Always resolves to a JSON string; an error is `{"error": …}`. */
  handleToolCall(name: string, args: unknown, signal?: AbortSignal): Promise<string>
  /** Facts that only this engine knows go into `details`: the chat and the service's `/state` show that. */
  status(): EngineStatus
  /** Frees what the engine holds. Idempotent. */
  dispose(): Promise<void>
}
