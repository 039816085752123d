/** A breakpoint as Anthropic writes it. Without `ttl` it is 5 minutes. */
export interface AnthropicCacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

/** A tool or block that may carry a breakpoint. */
export interface AnthropicMarkable {
  cache_control?: AnthropicCacheControl | null
}

export interface AnthropicText extends AnthropicMarkable {
  type: 'text'
  text: string
}

export interface AnthropicImage extends AnthropicMarkable {
  type: 'image'
  source:
    | { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
}

export interface AnthropicDocument extends AnthropicMarkable {
  type: 'document'
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'content'; content: string | (AnthropicText | AnthropicImage)[] }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string }
  title?: string | null
  citations?: { enabled?: boolean } | null
}

export interface AnthropicSearchResult extends AnthropicMarkable {
  type: 'search_result'
  content: AnthropicText[]
  source: string
  title: string
  citations?: { enabled?: boolean }
}

export interface AnthropicThinking {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface AnthropicRedactedThinking {
  type: 'redacted_thinking'
  data: string
}

export interface AnthropicToolUse extends AnthropicMarkable {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

/** Parts of the result of a tool. */
export type AnthropicResultPart =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicSearchResult
  | { type: 'tool_reference'; tool_name: string }
  | { type: 'browser_state'; tabs: { tab_id: string; title: string; url: string }[] }

export interface AnthropicToolResult extends AnthropicMarkable {
  type: 'tool_result'
  tool_use_id: string
  content?: string | AnthropicResultPart[]
  is_error?: boolean
}

/** A block of a message, as far as this package looks at it. Other fields and kinds of blocks survive unchanged. */
export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicDocument
  | AnthropicSearchResult
  | AnthropicThinking
  | AnthropicRedactedThinking
  | AnthropicToolUse
  | AnthropicToolResult
