import type { EngineCapability } from './capability.ts'
import type { CompressCall } from './compress-call.ts'
import type { CompressResult } from './compress-result.ts'
import type { EngineStatus } from './engine-status.ts'
import type { Message } from './message.ts'
import type { ToolSchema } from './tool-schema.ts'
import type { Usage } from './usage.ts'

export interface SessionStart {
  readonly sessionId: string
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
  /** The whole transcript, the answer included. Frozen. */
  readonly messages: readonly Message[]
  /** Null when the turn was interrupted before the provider reported anything. */
  readonly usage: Usage | null
  readonly interrupted: boolean
}

export interface CompactionBoundary {
  readonly result: CompressResult
  /** How many messages the transcript had when it happened. */
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
  /** What the projection may cost at most, in tokens. */
  readonly budgetTokens: number
  readonly signal?: AbortSignal
}

/**
 * A context engine, version 1: one instance serves one session. Methods that may wait are asynchronous.
 * Inputs are frozen and never mutated; the laws of `docs/design.md`, section 4, hold for every output.
 */
export interface ContextEngineV1 {
  readonly specificationVersion: 'v1'
  /** Kebab-case, stable. */
  readonly name: string
  /** What this engine can do, with the options that it was created with. Default: what its parts show. */
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

  /** New messages of the transcript, before the request goes out. Default: nothing. */
  ingest(input: Ingest): Promise<void>
  /** A cheap check without a token count, before a request. Default: false. */
  shouldCompressPreflight(messages: readonly Message[]): boolean
  /**
   * Shortens old tool results without a model. Asked before each request for which no compaction is due; a list
   * with fewer tokens becomes the projection. Default: nothing, the same array.
   */
  pruneToolResults(messages: readonly Message[]): Promise<readonly Message[]>
  /** Request-only placement; never written back. Null keeps the projection. Default: null. */
  selectContext(call: SelectCall): Promise<readonly Message[] | null>
  /** After an answer that calls no tool. Default: nothing. */
  onTurnComplete(turn: TurnComplete): Promise<void>
  /** Whether a manual compaction would find anything to do. Default: true. */
  hasContentToCompress(messages: readonly Message[]): boolean
  onSessionStart(start: SessionStart): Promise<void>
  /** Terminal: nothing is called afterwards but `dispose`. */
  onSessionEnd(messages: readonly Message[]): Promise<void>
  /** A new conversation in the same session: counters and summaries are gone. */
  onSessionReset(): Promise<void>
  /** A compaction was committed. Not the end of a session. */
  onCompactionBoundary(boundary: CompactionBoundary): Promise<void>
  /** The host changed the model: the threshold is computed anew. */
  updateModel(update: ModelUpdate): void
  /** Tools that the model may call. Default: none. */
  toolSchemas(): readonly ToolSchema[]
  /** Always resolves to a JSON string; an error is `{"error": …}`. */
  handleToolCall(name: string, args: unknown, signal?: AbortSignal): Promise<string>
  status(): EngineStatus
  /** Frees what the engine holds. Idempotent. */
  dispose(): Promise<void>
}

export type ContextEngine = ContextEngineV1
