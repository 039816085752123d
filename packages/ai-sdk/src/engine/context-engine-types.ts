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
   * The application's own tools. They cost tokens of every prompt, and the AI SDK does not tell `prepareStep` about
   * them. Default: none, until the provider's first count.
   */
  readonly tools?: HostTools
}

/** Tools of an application, as far as their size goes. Every `ToolSet` is one. */
export type HostTools = Readonly<
  Record<
    string,
    { readonly description?: unknown; readonly inputSchema?: FlexibleSchema<unknown> | undefined }
  >
>

/** The AI SDK's report of a finished step, as far as it is needed here. */
export interface FinishedStep {
  readonly usage: { readonly inputTokens: number | undefined }
  readonly response: { readonly messages: readonly ModelMessage[] }
}

/** The AI SDK's input of `prepareStep`, as far as it is needed here. Every call of AI SDK 7 is one. */
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

/** Replacements for the AI SDK's own values. An absent member stays as it is. */
export interface StepOverride {
  readonly messages?: ModelMessage[]
  readonly instructions?: Instructions
}

export interface PrepareStepOptions {
  /** Aborts a compaction; the promise rejects with `signal.reason`. The AI SDK does not pass its own. */
  readonly abortSignal?: AbortSignal | undefined
  /** The focus topic of a compaction for this step. Default: none. */
  readonly focusTopic?: string
}

/** A tool of an engine. It answers with a JSON text. */
export type EngineTool = Tool<Record<string, unknown>, string>

/** One conversation of an application of the AI SDK with one engine. */
export interface AiSdkContext {
  /** For the option of this name. Resolves to undefined when the messages can go as they are. */
  prepareStep(step: StepInput, options?: PrepareStepOptions): Promise<StepOverride | undefined>
  /** For the option of this name: the answer that ends a turn, and what it cost. */
  onStepEnd(step: FinishedStep): Promise<void>
  /** The engine's tools. They belong into `tools` from the first step on; an empty object when there are none. */
  readonly tools: Record<string, EngineTool>
  /**
   * For `wrapLanguageModel`: when the provider refuses a prompt as too long, compacts harder, once, and sends what is
   * left instead. Requests that were not made for this conversation pass through.
   */
  readonly middleware: LanguageModelMiddleware
  /** The session behind it: events, transcript, status of the engine. */
  readonly session: ContextSession
  /** Compacts now, because the user asks for it. */
  compact(options?: Parameters<ContextSession['compact']>[0]): Promise<CompressResult>
  /** Ends the session and disposes of the engine. Idempotent. */
  end(): Promise<void>
}
