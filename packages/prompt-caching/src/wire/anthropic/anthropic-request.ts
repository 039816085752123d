import type {
  AnthropicBlock,
  AnthropicCacheControl,
  AnthropicMarkable,
  AnthropicText,
} from './anthropic-block.ts'

/** A tool that the host runs. */
export interface AnthropicTool extends AnthropicMarkable {
  name: string
  description?: string
  input_schema: { type: 'object'; [key: string]: unknown }
  type?: 'custom' | null
  /** Such a tool is not in the prompt until the model finds it, and may carry no breakpoint. */
  defer_loading?: boolean
}

/** Tools whose schema Anthropic knows, by type: their names. */
interface KnownTools {
  bash_20250124: 'bash'
  code_execution_20250522: 'code_execution'
  code_execution_20250825: 'code_execution'
  code_execution_20260120: 'code_execution'
  code_execution_20260521: 'code_execution'
  memory_20250818: 'memory'
  text_editor_20250124: 'str_replace_editor'
  text_editor_20250429: 'str_replace_based_edit_tool'
  text_editor_20250728: 'str_replace_based_edit_tool'
  web_search_20250305: 'web_search'
  web_search_20260209: 'web_search'
  web_search_20260318: 'web_search'
  web_fetch_20250910: 'web_fetch'
  web_fetch_20260209: 'web_fetch'
  web_fetch_20260309: 'web_fetch'
  web_fetch_20260318: 'web_fetch'
  tool_search_tool_bm25: 'tool_search_tool_bm25'
  tool_search_tool_bm25_20251119: 'tool_search_tool_bm25'
  tool_search_tool_regex: 'tool_search_tool_regex'
  tool_search_tool_regex_20251119: 'tool_search_tool_regex'
}

export type AnthropicKnownTool =
  | {
      [Type in keyof KnownTools]: AnthropicMarkable & { type: Type; name: KnownTools[Type] }
    }[keyof KnownTools]
  | (AnthropicMarkable & { type: 'browser_toolset_20260801' | 'computer_toolset_20260801' })

export interface AnthropicMessage {
  role: 'user' | 'assistant'
  content: string | AnthropicBlock[]
}

/** Instructions between messages, where the model knows them. */
export interface AnthropicSystemMessage {
  role: 'system'
  content: string | AnthropicText[]
}

/** A block, a tool or a thinking configuration that is not named here, such as those of the beta API. */
interface Other {
  readonly type?: string | null
}

/**
 * A request to Anthropic's Messages API as far as this package looks at it. Every request of the SDK, beta or not, is
 * one; what marks a request gives back the type that it got. Other members are kept.
 */
export interface AnthropicRequest {
  readonly model: string
  readonly max_tokens: number
  readonly messages: readonly {
    readonly role: 'user' | 'assistant' | 'system'
    /** The beta API knows messages without any. */
    readonly content?: string | readonly (AnthropicBlock | Other)[]
  }[]
  readonly system?: string | readonly AnthropicText[]
  readonly tools?: readonly (AnthropicTool | AnthropicKnownTool | Other)[]
  readonly tool_choice?: { readonly type: 'auto' | 'any' | 'none' | 'tool' }
  readonly thinking?: { readonly type: 'enabled' | 'disabled' | 'between_tools' | 'adaptive' }
  readonly output_config?: {
    readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | null
    readonly format?: { readonly type: 'json_schema' } | null
  }
  readonly speed?: 'standard' | 'fast' | null
  readonly stream?: boolean
  /** An automatic breakpoint on the last block that can carry one. */
  readonly cache_control?: AnthropicCacheControl | null
}
