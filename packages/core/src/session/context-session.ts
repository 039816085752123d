import { roughTokenCounter } from '../budget/rough-token-counter.ts'
import { SessionEndedError } from '../errors/session-ended-error.ts'
import { copyValue } from '../messages/copy-message.ts'
import type { Clock } from '../spec/clock.ts'
import type { CompletionModel } from '../spec/completion-model.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { EngineDefinition } from '../spec/engine-definition.ts'
import type { AssistantMessage, Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'
import type { Warning } from '../spec/warning.ts'
import { callEngineTool } from './call-engine-tool.ts'
import { createSerialQueue } from './serial-queue.ts'
import { createSessionCore } from './session-core.ts'
import type { SessionListener } from './session-events.ts'

export interface ContextSessionOptions<Options> {
  /** The engine, as its package exports it. */
  readonly engine: EngineDefinition<Options>
  /** The engine's options. Default: none. */
  readonly options?: Options
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens of the window that are reserved for the answer. Default 0. */
  readonly maxOutputTokens?: number
  /** The auxiliary model for summaries. Without one, engines work without a model. */
  readonly model?: CompletionModel
  /** Default: an estimate without a tokenizer. `@palimpsest/tokens` counts. */
  readonly tokens?: TokenCounter
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** Default: a random id. */
  readonly sessionId?: string
  /** False keeps every message and never compacts on its own. Default true. */
  readonly enabled?: boolean
}

export interface PrepareOptions {
  /** The host's own tools: they cost tokens of every prompt. Default: none. */
  readonly tools?: readonly ToolSchema[]
  /** Aborts; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal
}

/** What to send to the model. */
export interface Prepared {
  /** The projection. The host's own copy: it may be changed. */
  readonly messages: Message[]
  /** The host's tools and the engine's. */
  readonly tools: ToolSchema[]
  /** What the prompt will cost, in tokens, as far as is known. */
  readonly tokens: number
  /** The compactions that were tried for this request, usually none. */
  readonly compactions: readonly CompressResult[]
  readonly warnings: readonly Warning[]
}

export interface ObservedResponse {
  readonly message?: AssistantMessage
  /** Our shape or OpenAI's. Without it the next prompt is estimated. */
  readonly usage?: object | null
  /** The user or an error stopped the answer. Default false. */
  readonly interrupted?: boolean
}

/**
 * One conversation of one host with one engine, and the one place that knows the order of things. Calls are
 * serialised: a call starts when the one before it has settled.
 */
export interface ContextSession {
  readonly id: string
  readonly engine: ContextEngineV1
  /** Everything that the host said so far. Frozen. */
  readonly transcript: readonly Message[]
  /** Takes the host's whole history and returns what to send. */
  prepare(messages: readonly Message[], options?: PrepareOptions): Promise<Prepared>
  /** Takes what came back. */
  observe(response: ObservedResponse): Promise<void>
  /** Runs a tool of the engine. Always resolves to a JSON string; errors are `{"error": …}`. */
  callTool(name: string, args: unknown, options?: { readonly signal?: AbortSignal }): Promise<string>
  /** Compacts now, because the user asks for it. */
  compact(options?: { readonly focusTopic?: string; readonly signal?: AbortSignal }): Promise<CompressResult>
  /**
   * After a provider refused the prompt as too long: compacts harder, once, and returns what to send instead.
   * Any other error is thrown again as it came.
   *
   * @throws ContextOverflowError when it was tried before for this prompt, or did not make the prompt smaller.
   */
  recover(error: unknown, options?: PrepareOptions): Promise<Prepared>
  /** A new conversation in the same session. */
  reset(): Promise<void>
  /** Ends the session and disposes of the engine. Idempotent; every later call throws `SESSION_ENDED`. */
  end(): Promise<void>
  /** Adds a listener and returns how to remove it. What a listener throws is ignored. */
  subscribe(listener: SessionListener): () => void
}

/** Puts an engine to work for one conversation. */
export function createContextSession<Options = Record<string, unknown>>(
  input: ContextSessionOptions<Options>,
): ContextSession {
  const { maxOutputTokens = 0, tokens = roughTokenCounter, clock = { now: Date.now }, model } = input
  const id = input.sessionId ?? globalThis.crypto.randomUUID()
  const engine = input.engine.create((input.options ?? {}) as Options, {
    contextLength: input.contextLength,
    maxOutputTokens,
    tokens,
    clock,
    sessionId: id,
    ...(model !== undefined && { model }),
  })
  const core = createSessionCore({
    engine,
    tokens,
    contextLength: input.contextLength,
    enabled: input.enabled ?? true,
  })
  const enqueue = createSerialQueue()
  let started = false
  let ended: Promise<void> | undefined

  const run = <T>(method: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (ended !== undefined) return Promise.reject(new SessionEndedError(method))
    return enqueue(async () => {
      if (!started) await engine.onSessionStart({ sessionId: id })
      started = true
      return task()
    }, signal)
  }

  return {
    id,
    engine,
    get transcript() {
      return core.transcript
    },
    prepare: (messages, options = {}) => {
      // The host may change its list while this call waits for its turn.
      const list = Array.isArray(messages) ? messages.map(copyValue) : messages
      return run('prepare', () => core.prepare(list, options), options.signal)
    },
    observe: (response) => run('observe', () => core.observe(response)),
    callTool: (name, args, { signal } = {}) =>
      run('callTool', () => callEngineTool(engine, name, args, signal), signal),
    compact: (options = {}) => run('compact', () => core.compact(options), options.signal),
    recover: (error, options = {}) => run('recover', () => core.recover(error, options), options.signal),
    reset: () => run('reset', () => core.reset()),
    end() {
      ended ??= enqueue(async () => {
        try {
          if (started) await engine.onSessionEnd(core.transcript)
        } finally {
          await engine.dispose()
          core.emit({ type: 'ended' })
        }
      })
      return ended
    },
    subscribe: core.subscribe,
  }
}
