/** Opaque data of one provider, by provider name. It travels with its message or part and is never interpreted. */
export type ProviderData = Readonly<Record<string, unknown>>

/** Additions of Palimpsest to the wire shape. Both are optional and never sent to a summariser. */
export interface MessageExtras {
  /** The host's stable id of this message. Without one, messages are recognised by their content. */
  readonly id?: string
  /** Opaque provider parts. Reasoning lives under the key `reasoning` of its provider's entry. */
  readonly providerData?: ProviderData
}

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly providerData?: ProviderData
}

export interface ImagePart {
  readonly type: 'image_url'
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' | 'original' }
  readonly providerData?: ProviderData
}

export interface AudioPart {
  readonly type: 'input_audio'
  readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' }
  readonly providerData?: ProviderData
}

export interface FilePart {
  readonly type: 'file'
  readonly file: { readonly file_data?: string; readonly file_id?: string; readonly filename?: string }
  readonly providerData?: ProviderData
}

export interface RefusalPart {
  readonly type: 'refusal'
  readonly refusal: string
  readonly providerData?: ProviderData
}

export type UserPart = TextPart | ImagePart | AudioPart | FilePart
export type AssistantPart = TextPart | RefusalPart
/** A content part. Parts of a kind that is not listed here survive unchanged. */
export type ContentPart = UserPart | AssistantPart

/** One call of a tool. `function.arguments` is the raw JSON text that the model wrote. */
export interface FunctionToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Opaque provider data of this call, such as a thought signature. It is kept with its call. */
  readonly providerData?: ProviderData
}

/** A call of a tool that takes free text instead of JSON. */
export interface CustomToolCall {
  readonly id: string
  readonly type: 'custom'
  readonly custom: { readonly name: string; readonly input: string }
  readonly providerData?: ProviderData
}

export type ToolCall = FunctionToolCall | CustomToolCall

export interface SystemMessage extends MessageExtras {
  /** `developer` is what newer OpenAI models call the system role; the invariants treat both alike. */
  readonly role: 'system' | 'developer'
  readonly content: string | TextPart[]
  readonly name?: string
}

export interface UserMessage extends MessageExtras {
  readonly role: 'user'
  readonly content: string | UserPart[]
  readonly name?: string
}

export interface AssistantMessage extends MessageExtras {
  readonly role: 'assistant'
  readonly content?: string | AssistantPart[] | null
  readonly name?: string
  readonly refusal?: string | null
  readonly tool_calls?: ToolCall[]
}

export interface ToolMessage extends MessageExtras {
  readonly role: 'tool'
  readonly content: string | TextPart[]
  readonly tool_call_id: string
}

/**
 * One entry of a transcript, in the wire shape of OpenAI Chat Completions. Assignable both ways to its
 * `ChatCompletionMessageParam`, the deprecated `function` role excepted.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

export type Role = Message['role']

/** A tool that an engine or a host offers to the model, in the wire shape of OpenAI Chat Completions. */
export interface ToolSchema {
  readonly type: 'function'
  readonly function: FlatToolSchema
}

/** A tool without the frame of the wire shape, which an engine's author may leave away. */
export interface FlatToolSchema {
  readonly name: string
  readonly description?: string
  readonly parameters?: Record<string, unknown>
}

/** Messages of the transcript from one index to another, both included. */
export interface MessageRange {
  readonly first: number
  readonly last: number
}

/** Where a message of a projection or of a request comes from. Indices are those of the session's transcript. */
export type Origin =
  /** A message of the transcript. `whole` is false when it is shown in another form: shortened, without its reasoning, or with a note after it. */
  | { readonly from: 'transcript'; readonly index: number; readonly whole: boolean }
  /** A summary, and the messages that it covers, in order. Empty when that is not known. */
  | { readonly from: 'summary'; readonly of: readonly MessageRange[] }
  /** Anything else: by the engine of that name, or by `session`, which mends a list of the host. */
  | { readonly from: 'note'; readonly by: string }

/** Token counts of one response, as the provider reported them. An absent field means unknown, not zero. */
export interface Usage {
  /** All tokens of the prompt, cached ones included. */
  readonly promptTokens: number
  /** Tokens that the model produced, reasoning included. */
  readonly completionTokens: number
  /** Prompt and completion together. */
  readonly totalTokens: number
  /** Part of `promptTokens` that was read from a cache. */
  readonly cacheReadTokens?: number
  /** Part of `promptTokens` that was written to a cache. */
  readonly cacheWriteTokens?: number
  /** Part of `cacheWriteTokens` that was written for the long lifetime: an hour at Anthropic. */
  readonly cacheWrite1hTokens?: number
  /** Part of `completionTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number
  /**
   * What the provider sampled for this response beside the answer, such as a compaction of its own: billed, and no part of the counts
   * above, which are those of the context.
   */
  readonly beside?: Usage
}

/** Something that was degraded but not lost. Warnings are returned and emitted, never thrown. */
export interface Warning {
  /** Stable, kebab-case, for programs. */
  readonly code: string
  /** One sentence for a person: what happened and what to do about it. */
  readonly message: string
}
