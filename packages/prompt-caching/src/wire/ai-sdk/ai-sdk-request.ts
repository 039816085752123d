/** An object that may carry a marker: a part, a message, a tool, the request itself. */
export interface AiSdkHolder {
  /** Options by provider: `{ anthropic: { cacheControl: … } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** A `ModelMessage` of the AI SDK. */
export interface AiSdkMessage extends AiSdkHolder {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | readonly AiSdkPart[]
}

/** A part of a message, of any type. */
export interface AiSdkPart extends AiSdkHolder {
  readonly type: string
}

/** A value of a `ToolSet`. */
export interface AiSdkTool extends AiSdkHolder {
  readonly type?: string | undefined
}

export interface AiSdkSystemMessage extends AiSdkHolder {
  readonly role: 'system'
  readonly content: string
}

/**
 * Where the AI SDK takes the system prompt: it refuses system messages in `messages` unless it is told to allow them.
 */
export type AiSdkInstructions = string | AiSdkSystemMessage | readonly AiSdkSystemMessage[]

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
}
