import type { ConversationLog } from './conversation-log.ts'
import type { FlatToolSchema, Message, ToolSchema, Usage, Warning } from './message.ts'
import type { ChatCall, Clock, CompletionModel, TokenCounter } from './model.ts'
import type { Store } from './store.ts'

/**
 * The abilities of an engine beyond the two required functions.
 *
 * Seen from the parts that its author wrote:
 * - `tools`: offers tools to the model (`toolSchemas`).
 * - `selection`: places messages for one request (`selectContext`).
 * - `pruning`: shortens old tool results without a model (`pruneToolResults`).
 *
 * Declared by its author, because no member shows it:
 * - `summarizer`: asks the host's model, and copes with its failures.
 * - `persistence`: goes on where it was when it is created again on the same storage.
 * - `lossless`: every ingested message can be had back, byte for byte, through its tools.
 */
export type EngineCapability = 'tools' | 'selection' | 'pruning' | 'summarizer' | 'persistence' | 'lossless'

/** The call of `compress`. Engines ignore keys that they do not know, so that the contract can grow. */
export interface CompressCall {
  /**
   * The current projection with everything that was appended since. Never mutated. A message of the conversation carries its `id`,
   * and keeps it in the result, in whatever form; what an engine wrote has none.
   */
  readonly messages: readonly Message[]
  /**
   * The size of the whole prompt now, in tokens, as far as the host knows: reported usage before estimates, tool
   * schemas included. Default: the engine's own count of `messages`.
   */
  readonly currentTokens?: number
  /**
   * The subject that the user wants the summary to dwell on. For the summariser alone: it is no part of the summary.
   */
  readonly focusTopic?: string
  /** The user or an overflow asks for it: cooldowns and back-offs do not apply. Default false. */
  readonly force?: boolean
  /**
   * The result must not be larger than this, in tokens of `messages` alone. Set when a provider refused a
   * prompt: compact harder than usual. Default: the engine's own target.
   */
  readonly targetTokens?: number
  /** Text from a memory system that the summariser may use. Redacted and bounded by the engine. */
  readonly memoryContext?: string
  /** Aborts; the promise rejects with `signal.reason` and the engine is as it was before. */
  readonly signal?: AbortSignal
}

/**
 * - `compacted`: fewer tokens than before.
 * - `unchanged`: nothing to do, or nothing to gain; `reason` says which.
 * - `aborted`: the summariser failed and everything was kept.
 * - `deferred`: not now, ask again later (a cooldown, a lease that another worker holds).
 */
export type CompressOutcome = 'compacted' | 'unchanged' | 'aborted' | 'deferred'

export interface CompressResult {
  readonly outcome: CompressOutcome
  /** Kebab-case, for programs: why this outcome. */
  readonly reason: string
  /** The new projection; for every outcome but `compacted`, the messages of the call. */
  readonly messages: readonly Message[]
  /** Tokens of the call's messages, by the engine's counter. */
  readonly tokensBefore: number
  /** Tokens of the result's messages, by the engine's counter. */
  readonly tokensAfter: number
  /** Index of the first message that differs from the call's: from here on a provider's cache is lost. */
  readonly changedFrom: number
  readonly warnings: readonly Warning[]
  /** A few words for a person: what was kept and what was summarised. */
  readonly summary?: string
}

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
  /** The length of the transcript that was compacted. */
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
  /** The largest size of the projection, in tokens. */
  readonly budgetTokens: number
  /** Whether the request offers the engine's tools: text that names them is no help without. Default true. */
  readonly offersTools?: boolean
  readonly signal?: AbortSignal
}

/** Messages for one request. */
export interface SelectedContext {
  readonly messages: readonly Message[]
}

/**
 * A context engine: one instance serves one session. Methods that may wait are asynchronous.
 * Inputs are frozen and never mutated; the invariants of `docs/design.md`, section 4, hold for every output.
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
  /**
   * Makes the projection smaller. Rejects only on abort and on misuse. With `compactAt: 'idle'` the conversation goes on
   * meanwhile: other members are called, and later messages ingested.
   */
  compress(call: CompressCall): Promise<CompressResult>

  /** New messages of the transcript, before the request goes out. Resolves with what the user should know. Default: nothing. */
  ingest(input: Ingest): Promise<readonly Warning[]>
  /** A cheap check without a token count, before a request. Default: false. */
  shouldCompressPreflight(messages: readonly Message[]): boolean
  /**
   * Shortens old tool results without a model. Asked before each request for which no compaction is due; a list
   * with fewer tokens becomes the projection. Default: nothing, the same array.
   */
  pruneToolResults(messages: readonly Message[]): Promise<readonly Message[]>
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

/** A snapshot for people and dashboards. Serialisable. */
export interface EngineStatus {
  readonly name: string
  readonly lastPromptTokens: number
  readonly thresholdTokens: number
  readonly contextLength: number
  /** Fullness of the window, 0 to 100. */
  readonly usagePercent: number
  readonly compressionCount: number
  /** Other facts of the engine. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A prompt as a `ChatModel` takes it, to send it again. */
export type LastRequest = Pick<ChatCall, 'messages' | 'tools' | 'cache'>

/** The session's side for an engine. Engines read no environment, no files and no globals. */
export interface EngineHost {
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. */
  readonly maxOutputTokens: number
  readonly tokens: TokenCounter
  readonly clock: Clock
  /** The auxiliary model for summaries and extraction. Without one the engine works without a model. */
  readonly model?: CompletionModel
  /**
   * The last prompt sent to the session's model, and the messages since, up to the last one that is not the user's. Undefined
   * before the first answer, and unless the provider is known to hold the prompt in its cache.
   */
  readonly lastRequest?: () => LastRequest | undefined
  readonly sessionId: string
  /** The conversation, and its place in the session's store. An engine whose definition has a `store` always has one. */
  readonly log?: ConversationLog
  /** For a host without a session: makes the store of such an engine, which the engine closes. Default: that of its definition. */
  readonly store?: () => Store | Promise<Store>
}

/** The members that an engine must write itself; everything else has a default. */
type RequiredParts = Pick<ContextEngine, 'shouldCompress' | 'compress'>

/** The result of `create`: two functions are enough. */
export type EngineParts = RequiredParts &
  Partial<Omit<ContextEngine, keyof RequiredParts | 'apiVersion' | 'name' | 'toolSchemas' | 'ingest'>> & {
    /** Few engines have anything to say of what they take. */
    ingest?(input: Ingest): Promise<void> | Promise<readonly Warning[]>
    /** Each tool in the wire shape or without its frame; a whole engine returns the wire shape. */
    toolSchemas?(): readonly (ToolSchema | FlatToolSchema)[]
    /** Other facts for the default of `status`. Serialisable. */
    details?(): Readonly<Record<string, unknown>>
  }

export interface EngineDefinitionInput<Options> {
  /** Kebab-case, unique among the engines of an application. */
  readonly name: string
  /** The version of the contract. */
  readonly apiVersion: 1
  /** One sentence for lists. */
  readonly description: string
  /** Makes the store of a session that was given none, for an engine that keeps something there. It is closed with the session. */
  readonly store?: () => Store | Promise<Store>
  /** Builds one engine for one session. Throws `InvalidOptionError` for an unknown or wrong option. */
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
