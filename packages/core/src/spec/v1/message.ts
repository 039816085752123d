/** Opaque data by provider name. It travels with its message or part and is never interpreted. */
export type ProviderData = Readonly<Record<string, unknown>>

/** Palimpsest's optional additions to the wire shape. A summariser never sees them. */
export interface MessageExtras {
  /** The host's stable id of this message. Messages without one are recognised by their content. */
  readonly id?: string
  /** Opaque provider data. Reasoning is under the key `reasoning` of its provider's entry. */
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
/** A content part. Unlisted kinds of parts survive unchanged. */
export type ContentPart = UserPart | AssistantPart

/** A call of a tool. `function.arguments` is the model's raw JSON text. */
export interface FunctionToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  /** Opaque provider data of this call, such as a thought signature. */
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
  /** Newer OpenAI models call the system role `developer`; the invariants treat both alike. */
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
 * An entry of a transcript, in the wire shape of OpenAI Chat Completions. Assignable both ways to
 * `ChatCompletionMessageParam`, except for the deprecated `function` role.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

export type Role = Message['role']

/** A tool offered to the model, in the wire shape of OpenAI Chat Completions. */
export interface ToolSchema {
  readonly type: 'function'
  readonly function: FlatToolSchema
}

/** A tool without the wire shape's frame, which engines may omit. */
export interface FlatToolSchema {
  readonly name: string
  readonly description?: string
  readonly parameters?: Record<string, unknown>
}

/** A range of the transcript's messages, both ends included. */
export interface MessageRange {
  readonly first: number
  readonly last: number
}

/** The origin of a message of a projection or request. Indices refer to the session's transcript. */
export type Origin =
  /** A message of the transcript. `whole` is false if it is shortened, lacks its reasoning, or has a note appended. */
  | { readonly from: 'transcript'; readonly index: number; readonly whole: boolean }
  /** A summary and the message ranges that it covers, in order; empty if unknown. */
  | { readonly from: 'summary'; readonly of: readonly MessageRange[] }
  /** Any other message: by the named engine, or by `session` for repairs of a host's list. */
  | { readonly from: 'note'; readonly by: string }

/** Token counts of one response, as reported by the provider. An absent field means unknown, not zero. */
export interface Usage {
  /** All tokens of the prompt, including cached ones. */
  readonly promptTokens: number
  /** Tokens that the model produced, including reasoning. */
  readonly completionTokens: number
  readonly totalTokens: number
  /** The part of `promptTokens` that was read from a cache. */
  readonly cacheReadTokens?: number
  /** The part of `promptTokens` that was written to a cache. */
  readonly cacheWriteTokens?: number
  /** The part of `cacheWriteTokens` that was written for the long lifetime: an hour at Anthropic. */
  readonly cacheWrite1hTokens?: number
  /** The part of `completionTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number
  /**
   * Tokens of the response's other samplings, such as the provider's own compaction. They are billed, but not part of
   * the counts above.
   */
  readonly beside?: Usage
}

/** A degradation without loss. Warnings are returned and emitted, never thrown. */
export interface Warning {
  /** A stable code in kebab-case. */
  readonly code: string
  /** One sentence for people: what happened and what to do. */
  readonly message: string
}
