import type { ConversationLog } from './conversation-log.ts'
import type { FlatToolSchema, Message, ToolSchema, Usage, Warning } from './message.ts'
import type { ChatCall, Clock, CompletionModel, TokenCounter } from './model.ts'
import type { Store } from './store.ts'

/**
 * The abilities of an engine beyond the two required functions.
 *
 * Derived from its members:
 * - `tools`: offers tools to the model (`toolSchemas`).
 * - `selection`: places messages for one request (`selectContext`).
 * - `pruning`: shortens old tool results without a model (`pruneToolResults`).
 *
 * Declared by its author:
 * - `summarizer`: calls the host's model, and handles its failures.
 * - `persistence`: continues after it is created again on the same storage.
 * - `lossless`: its tools return every ingested message byte for byte.
 */
export type EngineCapability = 'tools' | 'selection' | 'pruning' | 'summarizer' | 'persistence' | 'lossless'

/** The input of `compress`. Engines ignore unknown keys, so that the contract can grow. */
export interface CompressCall {
  /**
   * The current projection and all messages appended since. Never mutated. A message of the conversation has an `id`
   * and keeps it in the result, in any form; messages of an engine have none.
   */
  readonly messages: readonly Message[]
  /**
   * The size of the whole prompt, in tokens, tool schemas included: reported usage, or else an estimate. Default: the
   * engine's own count of `messages`.
   */
  readonly currentTokens?: number
  /** The topic on which the summary should focus. Only the summariser sees it; it is not part of the summary. */
  readonly focusTopic?: string
  /** True if the user or an overflow requests the compaction: cooldowns and back-offs do not apply. Default false. */
  readonly force?: boolean
  /**
   * Upper bound for the result, in tokens of `messages` alone. Set after a provider refused a prompt. Default: the
   * engine's own target.
   */
  readonly targetTokens?: number
  /** Text from a memory system that the summariser may use. Redacted and bounded by the engine. */
  readonly memoryContext?: string
  /** Aborts the call: the promise rejects with `signal.reason`, and the engine's state is unchanged. */
  readonly signal?: AbortSignal
}

/**
 * - `compacted`: fewer tokens than before.
 * - `unchanged`: nothing to do or nothing to gain; `reason` says which.
 * - `aborted`: the summariser failed, and everything was kept.
 * - `deferred`: not now; ask again later (a cooldown, or another worker was faster).
 */
export type CompressOutcome = 'compacted' | 'unchanged' | 'aborted' | 'deferred'

export interface CompressResult {
  readonly outcome: CompressOutcome
  /** The reason for the outcome, in kebab-case. */
  readonly reason: string
  /** The new projection; the call's messages unless the outcome is `compacted`. */
  readonly messages: readonly Message[]
  /** Tokens of the call's messages, by the engine's counter. */
  readonly tokensBefore: number
  /** Tokens of the result's messages, by the engine's counter. */
  readonly tokensAfter: number
  /** Index of the first message that differs from the call's. A provider's cache is lost from here on. */
  readonly changedFrom: number
  readonly warnings: readonly Warning[]
  /** A short description for people: what was kept and what was summarised. */
  readonly summary?: string
}

/** Facts about a new conversation, as far as the host knows them. */
export interface SessionStart {
  readonly sessionId: string
  /** The model's window, in tokens. */
  readonly contextLength: number
  readonly model?: string
  /** The place of the conversation, such as `cli` or `gateway`, if the host knows it. */
  readonly platform?: string
  /**
   * Absolute path of a folder for the engine's files, shared by all sessions. It need not exist. Absent if the host has
   * none.
   */
  readonly dataFolder?: string
}

export interface Ingest {
  /** New messages of the transcript. Frozen. Empty if the host only removed messages. */
  readonly messages: readonly Message[]
  /**
   * Index of the first of them in the transcript. It is smaller than the number of messages ingested so far if the host
   * edited its history, or if an earlier call failed: everything from this index on is replaced. A change of only the
   * system prompt is not an edit, and arrives with the next messages.
   */
  readonly from: number
}

export interface TurnComplete {
  /** The whole transcript, answer included. Frozen. Built on first read, until the call has settled. */
  readonly messages: readonly Message[]
  /** Null if the turn was interrupted before the provider reported usage. */
  readonly usage: Usage | null
  readonly interrupted: boolean
}

export interface CompactionBoundary {
  readonly result: CompressResult
  /** The length of the transcript that was compacted. */
  readonly transcriptLength: number
}

export interface ModelUpdate {
  readonly contextLength: number
  readonly model?: string
}

export interface SelectCall {
  readonly messages: readonly Message[]
  /** Upper bound for the projection, in tokens. */
  readonly budgetTokens: number
  /** True if the request offers the engine's tools. Otherwise texts should not mention them. Default true. */
  readonly offersTools?: boolean
  readonly signal?: AbortSignal
}

/** Messages for one request. */
export interface SelectedContext {
  readonly messages: readonly Message[]
}

/**
 * A context engine; one instance serves one session. Inputs are frozen and never mutated; the invariants of
 * `docs/design.md`, section 4, hold for every output.
 */
export interface ContextEngine {
  readonly apiVersion: 1
  /** Kebab-case, stable. */
  readonly name: string
  /** The capabilities of this engine with its options. Default: those derived from its members. */
  readonly capabilities: readonly EngineCapability[]

  /** Prompt tokens of the last response; 0 before the first. */
  readonly lastPromptTokens: number
  readonly lastCompletionTokens: number
  readonly lastTotalTokens: number
  /** Prompt size from which `shouldCompress` returns true, in tokens. */
  readonly thresholdTokens: number
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Number of `compacted` results in this session. */
  readonly compressionCount: number

  updateFromResponse(usage: Usage): void
  /** True if a compaction is due. Synchronous, pure and cheap. Default for `promptTokens`: `lastPromptTokens`. */
  shouldCompress(input?: { readonly promptTokens?: number }): boolean
  /**
   * Makes the projection smaller. Rejects only on an abort and on misuse. With `compactAt: 'idle'` the conversation
   * continues meanwhile: other members are called, and later messages ingested.
   */
  compress(call: CompressCall): Promise<CompressResult>

  /** Takes new messages of the transcript before the request is sent, and returns warnings. Default: does nothing. */
  ingest(input: Ingest): Promise<readonly Warning[]>
  /** Checks without a token count, before a request, if a compaction may be due. Default: false. */
  shouldCompressPreflight(messages: readonly Message[]): boolean
  /**
   * Shortens old tool results without a model. Called before each request that needs no compaction; a list with fewer
   * tokens becomes the projection. Default: returns the same array.
   */
  pruneToolResults(messages: readonly Message[]): Promise<readonly Message[]>
  /** Places messages for one request only; the log does not change. Null keeps the projection. Default: null. */
  selectContext(call: SelectCall): Promise<SelectedContext | null>
  /** Called after an answer that calls no tool. Default: does nothing. */
  onTurnComplete(turn: TurnComplete): Promise<void>
  /** True if a manual compaction would change something. Default: true. */
  hasContentToCompress(messages: readonly Message[]): boolean
  /**
   * Called before the first call of a conversation: the session's first one, or the one after a reset. If it rejects,
   * the session warns its host, continues, and retries before the next call.
   */
  onSessionStart(start: SessionStart): Promise<void>
  /** Called at the end with the whole transcript. Terminal: only `dispose` follows. */
  onSessionEnd(messages: readonly Message[]): Promise<void>
  /** Forgets the conversation: counters and summaries are reset. `onSessionStart` follows with the next call. */
  onSessionReset(): Promise<void>
  /** Called after a compaction was committed; the session continues. */
  onCompactionBoundary(boundary: CompactionBoundary): Promise<void>
  /** Takes the new model's window and computes the threshold again. */
  updateModel(update: ModelUpdate): void
  /** The tools that the model may call. A tool without a name is not offered. Default: none. */
  toolSchemas(): readonly ToolSchema[]
  /** Runs a tool. Always resolves to a JSON string; an error is `{"error": …}`. */
  handleToolCall(name: string, args: unknown, signal?: AbortSignal): Promise<string>
  /**
   * A snapshot of the engine. Facts of this engine alone go into `details`, which the chat and the service's `/state`
   * show.
   */
  status(): EngineStatus
  /** Frees the engine's resources. Idempotent. */
  dispose(): Promise<void>
}

/** A snapshot for people and dashboards. Serialisable. */
export interface EngineStatus {
  readonly name: string
  readonly lastPromptTokens: number
  readonly thresholdTokens: number
  readonly contextLength: number
  /** How full the window is, 0 to 100. */
  readonly usagePercent: number
  readonly compressionCount: number
  readonly details?: Readonly<Record<string, unknown>>
}

/** A prompt in the form that a `ChatModel` takes, for sending it again. */
export type LastRequest = Pick<ChatCall, 'messages' | 'tools' | 'cache'>

/** The services that a session gives to its engine. Engines read no environment, files or globals. */
export interface EngineHost {
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. */
  readonly maxOutputTokens: number
  readonly tokens: TokenCounter
  readonly clock: Clock
  /** The auxiliary model for summaries and extraction. Without one, the engine works without a model. */
  readonly model?: CompletionModel
  /**
   * The last prompt sent to the session's model, followed by later messages up to the last one that is not the user's.
   * Undefined before the first answer, and if the provider may not have the prompt in its cache.
   */
  readonly lastRequest?: () => LastRequest | undefined
  readonly sessionId: string
  /**
   * The conversation, and its place in the session's store. Always set for an engine whose definition has a `store`.
   */
  readonly log?: ConversationLog
  /** Makes the store of an engine without a session; the engine closes it. Default: the definition's `store`. */
  readonly store?: () => Store | Promise<Store>
}

type RequiredParts = Pick<ContextEngine, 'shouldCompress' | 'compress'>

/** The result of `create`: two functions are enough. */
export type EngineParts = RequiredParts &
  Partial<Omit<ContextEngine, keyof RequiredParts | 'apiVersion' | 'name' | 'toolSchemas' | 'ingest'>> & {
    /** An engine may return nothing instead of warnings. */
    ingest?(input: Ingest): Promise<void> | Promise<readonly Warning[]>
    /** Tools in the wire shape or without its frame; the completed engine returns the wire shape. */
    toolSchemas?(): readonly (ToolSchema | FlatToolSchema)[]
    details?(): Readonly<Record<string, unknown>>
  }

export interface EngineDefinitionInput<Options> {
  /** Kebab-case, unique among the engines of an application. */
  readonly name: string
  readonly apiVersion: 1
  readonly description: string
  /** Makes the store of a session that was given none. The session closes it. */
  readonly store?: () => Store | Promise<Store>
  /** Creates the engine of one session. Throws `InvalidOptionError` for an unknown or wrong option. */
  create(options: Options, host: EngineHost): EngineParts
}

/** The default export of an engine's package. */
export interface EngineDefinition<Options = Record<string, unknown>> {
  readonly name: string
  readonly apiVersion: 1
  readonly description: string
  readonly store?: () => Store | Promise<Store>
  create(options: Options, host: EngineHost): ContextEngine
}
