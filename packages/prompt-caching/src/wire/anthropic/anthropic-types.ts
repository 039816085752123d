interface Markable {
  cache_control?: { type: 'ephemeral'; ttl?: '5m' | '1h' } | null
}

export interface AnthropicText extends Markable {
  type: 'text'
  text: string
}

export interface AnthropicImage extends Markable {
  type: 'image'
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
}

export interface AnthropicDocument extends Markable {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'file'; file_id: string }
  title?: string | null
}

export interface AnthropicToolUse extends Markable {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

export interface AnthropicToolResult extends Markable {
  type: 'tool_result'
  tool_use_id: string
  content?: string | (AnthropicText | AnthropicImage | AnthropicDocument)[]
}

/** A block of `toAnthropicRequest`. Anthropic's own blocks, such as thinking, pass through. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicToolUse
  | AnthropicToolResult
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }

/** A tool that the host runs. */
export interface AnthropicTool extends Markable {
  name: string
  description?: string
  input_schema: { type: 'object'; [key: string]: unknown }
}

/** The prompt as parameters for the SDK's `messages.create`. */
export interface AnthropicPrompt {
  system?: AnthropicText[]
  tools?: AnthropicTool[]
  messages: (
    | { role: 'user' | 'assistant'; content: AnthropicBlock[] }
    | { role: 'system'; content: AnthropicText[] }
  )[]
}
