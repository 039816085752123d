import type { CompletionModel, CompressResult, ContextSession, ContextSessionOptions } from '@palimpsest/core'
import type {
  FlexibleSchema,
  Instructions,
  LanguageModel,
  LanguageModelMiddleware,
  ModelMessage,
  Tool,
} from 'ai'

/** Options of `contextEngine`. */
export interface ContextEngineOptions<Options>
  extends Pick<
    ContextSessionOptions<Options>,
    | 'engine'
    | 'options'
    | 'modelName'
    | 'store'
    | 'principal'
    | 'contextLength'
    | 'maxOutputTokens'
    | 'compactAt'
    | 'tokens'
    | 'clock'
    | 'sessionId'
  > {
  /**
   * The model that writes summaries: one of the AI SDK, or any `CompletionModel`. Without one, engines work without a
   * model.
   */
  readonly model?: CompletionModel | LanguageModel
  /**
   * The application's own tools, which cost tokens in every prompt; `prepareStep` does not get them. Default: none,
   * until the provider's first count.
   */
  readonly tools?: HostTools
}

/** An application's tools, of which only the size matters. Every `ToolSet` is assignable. */
export type HostTools = Readonly<
  Record<
    string,
    { readonly description?: unknown; readonly inputSchema?: FlexibleSchema<unknown> | undefined }
  >
>

/** The used part of the AI SDK's report of a finished step. */
export interface FinishedStep {
  readonly usage: { readonly inputTokens: number | undefined }
  readonly response: { readonly messages: readonly ModelMessage[] }
}

/** The used part of `prepareStep`'s input. Every call of AI SDK 7 is assignable. */
export interface StepInput {
  readonly stepNumber: number
  readonly steps: readonly (FinishedStep & {
    readonly experimental_steeringMessages?: readonly ModelMessage[]
  })[]
  readonly messages: readonly ModelMessage[]
  readonly initialMessages: readonly ModelMessage[]
  readonly responseMessages: readonly ModelMessage[]
  readonly experimental_steeringMessages?: readonly ModelMessage[]
  readonly instructions: Instructions | undefined
  readonly model?: LanguageModel
}

/** Replacements for the AI SDK's own values; absent members stay unchanged. */
export interface StepOverride {
  readonly messages?: ModelMessage[]
  readonly instructions?: Instructions
}

export interface PrepareStepOptions {
  /** Aborts a compaction, which rejects with `signal.reason`. The AI SDK does not pass its own. */
  readonly abortSignal?: AbortSignal | undefined
  /** The topic for a compaction in this step. Default: none. */
  readonly focusTopic?: string
}

/** An engine's tool. It answers with JSON text. */
export type EngineTool = Tool<Record<string, unknown>, string>

/** One conversation of an application of the AI SDK with one engine. */
export interface AiSdkContext {
  /** The option of the same name. Resolves to undefined if the messages can be sent unchanged. */
  prepareStep(step: StepInput, options?: PrepareStepOptions): Promise<StepOverride | undefined>
  /** The option of the same name: records a turn's final answer and its usage. */
  onStepEnd(step: FinishedStep): Promise<void>
  /** The engine's tools, to be added to `tools` from the first step on; may be empty. */
  readonly tools: Record<string, EngineTool>
  /**
   * Middleware for `wrapLanguageModel`: if the provider refuses a prompt as too long, compacts harder, once, and sends
   * the result. Requests of other conversations pass through.
   */
  readonly middleware: LanguageModelMiddleware
  /** The underlying session, for events, transcript and status. */
  readonly session: ContextSession
  compact(options?: Parameters<ContextSession['compact']>[0]): Promise<CompressResult>
  /** Ends the session and disposes of the engine. Idempotent. */
  end(): Promise<void>
}
