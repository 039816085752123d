/** Options by provider: `{ anthropic: { cacheControl: … } }`. */
export type AiSdkProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** An object that may carry a marker: a part, a message, a tool, the request itself. */
export interface AiSdkHolder {
  readonly providerOptions?: AiSdkProviderOptions | undefined
}

/** A part of a message, of any type. */
export interface AiSdkPart extends AiSdkHolder {
  readonly type: string
}

/** A `ModelMessage` of the AI SDK. */
export interface AiSdkMessage extends AiSdkHolder {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly AiSdkPart[]
}

export interface AiSdkSystemMessage extends AiSdkHolder {
  readonly role: 'system'
  readonly content: string
}

/**
 * Where the AI SDK takes the system prompt: it refuses system messages in `messages` unless it is told to allow them.
 */
export type AiSdkInstructions = string | AiSdkSystemMessage | readonly AiSdkSystemMessage[]

/** A value of a `ToolSet`. */
export interface AiSdkTool extends AiSdkHolder {
  readonly type?: string | undefined
}

/**
 * The members of a call of `generateText` or `streamText`, or of a result of `prepareStep`, that decide what is cached.
 * Every such call of AI SDK 7 can be used as one.
 */
export interface AiSdkRequest extends AiSdkHolder {
  readonly messages: readonly AiSdkMessage[]
  readonly instructions?: AiSdkInstructions | undefined
  /** The older name of `instructions`, which wins when both are given. */
  readonly system?: AiSdkInstructions | undefined
  readonly tools?: Readonly<Record<string, AiSdkTool>> | undefined
  /** Names of the tools that are sent. Default: all. */
  readonly activeTools?: readonly string[] | undefined
  /** Names of the tools that come first. Default: the order of `tools`. */
  readonly toolOrder?: readonly string[] | undefined
  readonly toolChoice?: unknown
  /** A name, or a model with a `modelId`. */
  readonly model?: unknown
}
