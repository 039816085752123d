import type { Violation } from '../invariants/check-sequence.ts'
import type {
  AssistantMessage,
  CachePlan,
  CachePlanner,
  Clock,
  CompletionModel,
  CompressResult,
  ContextEngine,
  ConversationLog,
  EngineDefinition,
  Message,
  ModelUpdate,
  Origin,
  Store,
  TokenCounter,
  ToolCall,
  ToolMessage,
  ToolSchema,
  Usage,
  Warning,
} from '../spec/v1/index.ts'

export interface PromptEstimate {
  readonly tokens: number
  /** `reported`: the provider's own count; `anchored`: that plus an estimate of what was appended; else `estimated`. */
  readonly source: 'reported' | 'anchored' | 'estimated'
}

export interface ContextSessionOptions<Options> {
  /** The engine, as its package exports it. */
  readonly engine: EngineDefinition<Options>
  /** The engine's options. Default: none. */
  readonly options?: Options | undefined
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. Default 0. */
  readonly maxOutputTokens?: number | undefined
  /** The auxiliary model for summaries. Without one, engines work without a model. */
  readonly model?: CompletionModel | undefined
  /** Default: an estimate without a tokenizer. `@palimpsest/tokens` counts. */
  readonly tokens?: TokenCounter | undefined
  /** Places cache breakpoints, last of all. `@palimpsest/prompt-caching` has one. Default: none. */
  readonly cache?: CachePlanner | undefined
  /**
   * When the session compacts: at the engine's threshold, or with `idle` also from 70 % of it on once the provider has
   * dropped the prompt, which needs a `cache`. Default `threshold`.
   */
  readonly compactAt?: CompactionTiming | undefined
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  /**
   * Where the conversation is kept; its owner closes it. A session of the same id in another process goes on from there.
   * Default: the engine's own, else nowhere.
   */
  readonly store?: Store | undefined
  /** Whose session it is in the store: a user or a tenant. Default `local`. */
  readonly principal?: string | undefined
  /** Default: a random id. */
  readonly sessionId?: string | undefined
  /** The name of the model that answers, for the engine. `updateModel` changes it. Default: not known. */
  readonly modelName?: string | undefined
  /** Where the conversation takes place, such as `cli`, for the engine. Default: not said. */
  readonly platform?: string | undefined
  /** A folder for what the engine keeps on the disk, an absolute path that need not exist. Default: none. */
  readonly dataFolder?: string | undefined
  /** False keeps every message whole and never compacts on its own. Default true. */
  readonly enabled?: boolean | undefined
}

/** The last compaction that was committed, with those that followed it for the same request. */
export interface LastCompaction {
  /** Messages of the transcript that it took out of the prompt or shortened in it. In order. */
  readonly left: readonly MessagePlace[]
}

export type CompactionTiming = 'threshold' | 'idle'

/** A tool of a host: ours, or one that its provider knows, such as OpenAI's `ChatCompletionTool`. */
export type HostTool = ToolSchema | { readonly type: string }

/** A result in the shape of before 2024. It is accepted in a host's list and left out of requests, with a warning. */
export interface FunctionMessage {
  readonly role: 'function'
  readonly name: string
  readonly content: string | null
}

/** A message of a host's list: `ChatCompletionMessageParam` of the package `openai` is one. */
export type HostMessage = Message | FunctionMessage

export interface PrepareOptions<Tool extends HostTool = ToolSchema> {
  /** The host's own tools: they cost tokens of every prompt. Default: none. */
  readonly tools?: readonly Tool[] | undefined
  /** The model that this request is for, where it may be another one than before. Default: the one of the session. */
  readonly modelName?: string | undefined
  /** The subject that a compaction for this request should dwell on. Default: none. */
  readonly focusTopic?: string | undefined
  /** Text of the host's memory system that a summariser may use if it compacts for this request. Default: none. */
  readonly memoryContext?: string | undefined
  /** False when no other request will begin with this one: nothing is written to the cache for it. Default true. */
  readonly followUp?: boolean | undefined
  /** False for a request that cannot offer the engine's tools: they are left out, and the engine does not name them. Default true. */
  readonly offersTools?: boolean | undefined
  /**
   * For a request by which the host or its provider compacts: shows the list as it is, without a compaction, a cut or a placement;
   * `if-it-fits`: unless it is larger than the window. Default: never.
   */
  readonly whole?: 'always' | 'if-it-fits' | undefined
  /** True for a host that changes no message, no tool and no list: it gets the session's own, which need no copies. Default false. */
  readonly frozen?: boolean | undefined
  /** Aborts; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
}

/** The host's part of a compaction's call. */
export type CompactOptions = Pick<PrepareOptions, 'focusTopic' | 'memoryContext' | 'signal'>

/** A request for the model. */
export interface Prepared<Tool extends HostTool = ToolSchema> {
  /** The projection. The host's own copy, which may be changed, unless it asked for frozen messages. */
  readonly messages: Message[]
  /** Where each of them comes from: a message of the host's, a summary of some of them, or a note. */
  readonly origins: readonly Origin[]
  /** The host's tools and the engine's. */
  readonly tools: (Tool | ToolSchema)[]
  /** The cache breakpoints for `messages` and `tools`, to be rendered for a provider. Null without a planner. */
  readonly cache: CachePlan | null
  /** The size of the prompt, in tokens, as far as is known. */
  readonly tokens: number
  /** The compactions that were tried for this request, usually none. `compacted` ones are in `messages`. */
  readonly compactions: readonly CompressResult[]
  /** Degradations since the last call of this method; each warning once until something changes. */
  readonly warnings: readonly Warning[]
}

export interface ObservedResponse {
  readonly message?: AssistantMessage | undefined
  /** Our shape or OpenAI's. Without it the next prompt is estimated. */
  readonly usage?: object | null | undefined
  /** The user or an error stopped the answer. Default false. */
  readonly interrupted?: boolean | undefined
}

/**
 * One conversation of one host with one engine, and the one place that knows the order of things. Calls are
 * serialised: a call starts when the one before it has settled.
 */
export interface ContextSession {
  readonly id: string
  readonly engine: ContextEngine
  /** Everything that the host said so far. Frozen. */
  readonly transcript: readonly Message[]
  /** The same with ids and numbers, and whether the store has all of it. */
  readonly log: Omit<ConversationLog, 'open'>
  /** Undefined when there is none that can be undone: it was, or the host edited its history before that point. */
  readonly lastCompaction: LastCompaction | undefined
  /**
   * Takes the host's whole history, or the result of an earlier call with more behind it, and returns the request; without a
   * list, the request for what is known. The list is read before the call returns, and the host may change it afterwards.
   * Texts that do not fit after compaction are cut (warning `cut-to-window`); a part that cannot be cut is named
   * (`over-window`).
   *
   * @throws InvalidMessagesError for what is not a list of JSON objects; nothing has changed then.
   */
  prepare<Tool extends HostTool = ToolSchema>(
    messages?: readonly HostMessage[],
    options?: PrepareOptions<Tool>,
  ): Promise<Prepared<Tool>>
  /**
   * Takes messages behind all that is known, for a host that keeps no list: answers of the model and results of its tools,
   * messages of the user. They are copied before the call returns, and shown by the next `prepare()`.
   *
   * @throws InvalidMessagesError for what is not a list of JSON objects; nothing has changed then.
   */
  append(messages: readonly HostMessage[]): Promise<void>
  /** Takes what came back. The message itself is read from the next list that the host prepares. */
  observe(response: ObservedResponse): Promise<void>
  /** Runs a tool of the engine. Always resolves to a JSON string; errors are `{"error": …}`. */
  callTool(
    name: string,
    args: unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>
  /**
   * The result of a call of the model's, when the tool is one that the engine brought; undefined for the host's own tools.
   * Never rejects but on an abort: what goes wrong is told in the result.
   */
  answerCall(
    call: ToolCall,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ToolMessage | undefined>
  /** Compacts now, because the user asks for it. */
  compact(options?: CompactOptions): Promise<CompressResult>
  /**
   * Puts back what the last compaction took out: the next request shows what it showed before, and everything that was said
   * since. Resolves with what `lastCompaction` was. Then nothing is compacted until `compact()` is called, the prompt is at
   * 85 % of the window, or a tenth of the window was said. Only the last compaction can be undone.
   */
  undoCompaction(): Promise<LastCompaction | undefined>
  /**
   * After a provider refused the prompt as too long: compacts harder, cuts the rest, once, and returns the new
   * request. Any other error is thrown again.
   *
   * @throws ContextOverflowError when this prompt was recovered before, or did not get small enough. It names the
   * largest message.
   */
  recover<Tool extends HostTool = ToolSchema>(
    error: unknown,
    options?: PrepareOptions<Tool>,
  ): Promise<Prepared<Tool>>
  /**
   * The host changed the model. Its tokenizer may differ, so the last count holds no longer. With another name than
   * before, nothing is cached.
   */
  updateModel(update: ModelUpdate): Promise<void>
  /** Forgets the conversation; a new one begins with the next call, in the same session and with the same id. */
  reset(): Promise<void>
  /**
   * Ends the session and disposes of the engine, whatever fails on the way. Idempotent; every later call rejects with
   * `SessionEndedError`. Rejects with the engine's error if the engine could not end well: no later call could tell it.
   */
  end(): Promise<void>
  /** Adds a listener and returns how to remove it. What a listener throws is ignored. */
  subscribe(listener: SessionListener): () => void
}

/** A message of the transcript. */
export interface MessagePlace {
  readonly index: number
  /** The message's own, where it has one. */
  readonly id?: string
}

/** Why a compaction was asked for; `idle`: the provider had dropped the prompt from its cache. */
export type CompactionTrigger =
  | 'threshold'
  | 'hygiene'
  | 'preflight'
  | 'prune'
  | 'manual'
  | 'overflow'
  | 'idle'

/** An event of a session, discriminated by `type`. */
export type SessionEvent =
  | { readonly type: 'ingested'; readonly count: number; readonly from: number }
  /** The host took messages back: its list differs from the transcript from `from` on. */
  | { readonly type: 'edited'; readonly from: number; readonly dropped: number }
  | {
      readonly type: 'compaction'
      readonly trigger: CompactionTrigger
      readonly result: CompressResult
      /** Where each message of the result is from. */
      readonly origins: readonly Origin[]
      /** The size of the prompt before, in tokens, and the source of that number. */
      readonly estimate: PromptEstimate
      /** False when the result broke an invariant and was not used. */
      readonly committed: boolean
    }
  /** The last compaction was undone: these messages are in the prompt again. */
  | { readonly type: 'undone'; readonly left: readonly MessagePlace[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'violations'; readonly violations: readonly Violation[] }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'reset' }
  | { readonly type: 'ended' }

export type SessionListener = (event: SessionEvent) => void
