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
  /**
   * `reported`: the provider's count; `anchored`: that count plus an estimate of appended messages; `estimated`:
   * neither.
   */
  readonly source: 'reported' | 'anchored' | 'estimated'
}

export interface ContextSessionOptions<Options> {
  readonly engine: EngineDefinition<Options>
  /** The engine's options. Default: none. */
  readonly options?: Options | undefined
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. Default 0. */
  readonly maxOutputTokens?: number | undefined
  /** The auxiliary model for summaries. Without one, engines work without a model. */
  readonly model?: CompletionModel | undefined
  /** Default: an estimate without a tokenizer. `@palimpsest/tokens` counts exactly. */
  readonly tokens?: TokenCounter | undefined
  /** Places cache breakpoints in the final request: `@palimpsest/prompt-caching`. Default: none. */
  readonly cache?: CachePlanner | undefined
  /**
   * When the session compacts, from the engine's threshold on: `threshold` before the next request, `idle` while the
   * model answers, tools run and the user reads. With `idle`, requests are sent uncompacted meanwhile, and wait only
   * from 85 % of the window on.
   */
  readonly compactAt?: CompactionTiming | undefined
  /** Default: the system clock. */
  readonly clock?: Clock | undefined
  /**
   * Stores the conversation; its owner closes it. The same id continues it in another process. Default: the engine's
   * own store, else memory.
   */
  readonly store?: Store | undefined
  /** The owner in the store: a user or a tenant. Default `local`. */
  readonly principal?: string | undefined
  /** Default: a random id. */
  readonly sessionId?: string | undefined
  /** Name of the answering model, passed to the engine. `updateModel` changes it. Default: unknown. */
  readonly modelName?: string | undefined
  /** The place of the conversation, such as `cli`; passed to the engine. Default: none. */
  readonly platform?: string | undefined
  /** Absolute path of a folder for the engine's files; it need not exist. Default: none. */
  readonly dataFolder?: string | undefined
  /** False keeps every message whole and compacts only on demand. Default true. */
  readonly enabled?: boolean | undefined
  /** Called with a warning that no listener gets. `printWarning` prints it. Default: nothing is done. */
  readonly onUnheardWarning?: ((warning: Warning) => void) | undefined
}

/** The last committed compaction, including further passes for the same request. */
export interface LastCompaction {
  /** Messages of the transcript that it removed or shortened, in order. */
  readonly left: readonly MessagePlace[]
}

export type CompactionTiming = 'threshold' | 'idle'

/** A tool of a host: ours, or one that its provider defines, such as OpenAI's `ChatCompletionTool`. */
export type HostTool = ToolSchema | { readonly type: string }

export interface FunctionMessage {
  readonly role: 'function'
  readonly name: string
  readonly content: string | null
}

export type HostMessage = Message | FunctionMessage

export interface PrepareOptions<Tool extends HostTool = ToolSchema> {
  /** The host's own tools; they count towards the prompt. Default: none. */
  readonly tools?: readonly Tool[] | undefined
  /** The model of this request, if it can change. Default: the session's. */
  readonly modelName?: string | undefined
  /** Topic for a compaction during this request. Default: none. */
  readonly focusTopic?: string | undefined
  /** Text of the host's memory system, which a summariser may use. Default: none. */
  readonly memoryContext?: string | undefined
  /** False if no later request will start with this one; then nothing is written to the cache. Default true. */
  readonly followUp?: boolean | undefined
  /**
   * False for a request that cannot offer the engine's tools; they are left out, and texts do not mention them. Default
   * true.
   */
  readonly offersTools?: boolean | undefined
  /**
   * Sends the list unchanged, for a request in which the host or provider compacts. `if-it-fits` does so only if it
   * fits the window. Default: never.
   */
  readonly whole?: 'always' | 'if-it-fits' | undefined
  /**
   * True if the host modifies neither its list nor the result: nothing is copied, and a long list is read in slices.
   * Default false.
   */
  readonly frozen?: boolean | undefined
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined
}

export type CompactOptions = Pick<PrepareOptions, 'focusTopic' | 'memoryContext' | 'signal'>

/** A request for the model. */
export interface Prepared<Tool extends HostTool = ToolSchema> {
  /** The projection: a copy that the host may change, unless it asked for `frozen`. */
  readonly messages: Message[]
  readonly origins: readonly Origin[]
  readonly tools: (Tool | ToolSchema)[]
  /** Cache breakpoints for `messages` and `tools`, to be rendered for a provider. Null without a planner. */
  readonly cache: CachePlan | null
  /** The size of the prompt, in tokens; an estimate where no count is reported. */
  readonly tokens: number
  /** Compactions attempted for this request, usually none. `messages` includes the `compacted` ones. */
  readonly compactions: readonly CompressResult[]
  /** Problems since the last call; each is reported once until something changes. */
  readonly warnings: readonly Warning[]
}

export interface ObservedResponse {
  readonly message?: AssistantMessage | undefined
  /** Token usage in our format or OpenAI's. Without it, the next prompt is estimated. */
  readonly usage?: object | null | undefined
  /** True if the user or an error stopped the answer. Default false. */
  readonly interrupted?: boolean | undefined
}

/**
 * One conversation of one host with one engine. Calls are serialised: each starts after the previous one has settled.
 */
export interface ContextSession {
  readonly id: string
  readonly engine: ContextEngine
  /** All messages of the host. Frozen. */
  readonly transcript: readonly Message[]
  /** The transcript with ids and numbers, and whether the store has all of it. */
  readonly log: Omit<ConversationLog, 'open'>
  /** Undefined if no compaction can be undone: none happened, or the host edited its history before it. */
  readonly lastCompaction: LastCompaction | undefined
  /**
   * Takes the host's whole history, or the result of an earlier call with new messages at its end, and returns the
   * request. Without a list, it returns the request for the known messages. The list is read before the call returns,
   * and the host may change it afterwards. Texts that do not fit after compaction are cut (warning `cut-to-window`); a
   * part that cannot be cut is named (`over-window`).
   *
   * @throws InvalidMessagesError for a value that is not a list of JSON objects; nothing has changed then.
   */
  prepare<Tool extends HostTool = ToolSchema>(
    messages?: readonly HostMessage[],
    options?: PrepareOptions<Tool>,
  ): Promise<Prepared<Tool>>
  /**
   * Adds new messages, for a host that keeps no list: the model's answers, tool results, the user's messages. They are
   * copied before the call returns, and the next `prepare()` shows them.
   *
   * @throws InvalidMessagesError for a value that is not a list of JSON objects; nothing has changed then.
   */
  append(messages: readonly HostMessage[]): Promise<void>
  /** Records usage and completion of an answer. The message itself is read from the host's next list. */
  observe(response: ObservedResponse): Promise<void>
  /** Runs a tool of the engine. Always resolves to JSON; errors are `{"error": …}`. */
  callTool(
    name: string,
    args: unknown,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>
  /**
   * The tool message for a call of an engine's tool; undefined for the host's tools. Rejects only on an abort; other
   * errors are in the result.
   */
  answerCall(
    call: ToolCall,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ToolMessage | undefined>
  compact(options?: CompactOptions): Promise<CompressResult>
  /**
   * Restores what the last compaction removed, and returns the previous `lastCompaction`. The next compaction waits
   * until `compact()` is called, the prompt reaches 85 % of the window, or a tenth of the window was added. Only the
   * last compaction can be undone.
   */
  undoCompaction(): Promise<LastCompaction | undefined>
  /**
   * Recovers from a prompt that the provider refused as too long: compacts harder and cuts the rest, once, and returns
   * the new request. Other errors are thrown again.
   *
   * @throws ContextOverflowError if this prompt was recovered before, or is still too large. It names the largest
   * message.
   */
  recover<Tool extends HostTool = ToolSchema>(
    error: unknown,
    options?: PrepareOptions<Tool>,
  ): Promise<Prepared<Tool>>
  /** Changes the model. Drops the last token count, as the tokenizer may differ. A new name also resets the cache. */
  updateModel(update: ModelUpdate): Promise<void>
  /** Starts a new conversation in the same session with the same id. */
  reset(): Promise<void>
  /**
   * Ends the session and disposes of the engine, even if a step fails. Idempotent; later calls reject with
   * the code `SESSION_ENDED`. Rejects with the engine's error if it could not end cleanly.
   */
  end(): Promise<void>
  /** Adds a listener and returns a function that removes it. Errors of listeners are ignored. */
  subscribe(listener: SessionListener): () => void
}

export interface MessagePlace {
  readonly index: number
  readonly id?: string
}

/** The reason for a compaction. */
export type CompactionTrigger = 'threshold' | 'safety-net' | 'preflight' | 'prune' | 'manual' | 'overflow'

/** An event of a session, discriminated by `type`. */
export type SessionEvent =
  | { readonly type: 'ingested'; readonly count: number; readonly from: number }
  /** The host edited its history: its list differs from the transcript from `from` on. */
  | { readonly type: 'edited'; readonly from: number; readonly dropped: number }
  | {
      readonly type: 'compaction'
      readonly trigger: CompactionTrigger
      readonly result: CompressResult
      readonly origins: readonly Origin[]
      readonly estimate: PromptEstimate
      /** False if the result violated an invariant and was discarded. */
      readonly committed: boolean
    }
  /** The last compaction was undone: these messages are back in the prompt. */
  | { readonly type: 'undone'; readonly left: readonly MessagePlace[] }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'violations'; readonly violations: readonly Violation[] }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'reset' }
  | { readonly type: 'ended' }

export type SessionListener = (event: SessionEvent) => void
