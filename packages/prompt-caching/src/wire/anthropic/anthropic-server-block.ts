import type { AnthropicDocument, AnthropicMarkable } from './anthropic-block.ts'

type ToolFailure = 'invalid_tool_input' | 'unavailable' | 'too_many_requests'
type RunFailure = ToolFailure | 'execution_time_exceeded'
type SearchFailure = ToolFailure | 'max_uses_exceeded' | 'query_too_long' | 'request_too_large'
type FetchFailure =
  | ToolFailure
  | 'max_uses_exceeded'
  | 'url_too_long'
  | 'url_not_allowed'
  | 'url_not_in_prior_context'
  | 'url_not_accessible'
  | 'unsupported_content_type'
  | 'content_too_large'

interface Failed<Type extends string, Code extends string> {
  type: Type
  error_code: Code
}

interface ToolOutcome<Type extends string, Content> extends AnthropicMarkable {
  type: Type
  tool_use_id: string
  content: Content
}

interface Run<Type extends string, Output extends string> {
  type: Type
  content: { type: Output; file_id: string }[]
  return_code: number
  stderr: string
}

interface WebPage {
  type: 'web_search_result'
  url: string
  title: string
  encrypted_content: string
}

type Edited =
  | { type: 'text_editor_code_execution_view_result'; content: string; file_type: 'text' | 'image' | 'pdf' }
  | { type: 'text_editor_code_execution_create_result'; is_file_update: boolean }
  | { type: 'text_editor_code_execution_str_replace_result' }

/** Blocks of the tools that Anthropic runs itself, with the fields that its API demands. */
export type AnthropicServerBlock =
  | (AnthropicMarkable & {
      type: 'server_tool_use'
      id: string
      input: unknown
      name:
        | 'web_search'
        | 'web_fetch'
        | 'code_execution'
        | 'bash_code_execution'
        | 'text_editor_code_execution'
        | 'tool_search_tool_regex'
        | 'tool_search_tool_bm25'
    })
  | ToolOutcome<'web_search_tool_result', WebPage[] | Failed<'web_search_tool_result_error', SearchFailure>>
  | ToolOutcome<
      'web_fetch_tool_result',
      | { type: 'web_fetch_result'; url: string; content: AnthropicDocument }
      | Failed<'web_fetch_tool_result_error', FetchFailure>
    >
  | ToolOutcome<
      'code_execution_tool_result',
      | (Run<'code_execution_result', 'code_execution_output'> & { stdout: string })
      | (Run<'encrypted_code_execution_result', 'code_execution_output'> & { encrypted_stdout: string })
      | Failed<'code_execution_tool_result_error', RunFailure>
    >
  | ToolOutcome<
      'bash_code_execution_tool_result',
      | (Run<'bash_code_execution_result', 'bash_code_execution_output'> & { stdout: string })
      | Failed<'bash_code_execution_tool_result_error', RunFailure | 'output_file_too_large'>
    >
  | ToolOutcome<
      'text_editor_code_execution_tool_result',
      Edited | Failed<'text_editor_code_execution_tool_result_error', RunFailure | 'file_not_found'>
    >
  | ToolOutcome<
      'tool_search_tool_result',
      | {
          type: 'tool_search_tool_search_result'
          tool_references: { type: 'tool_reference'; tool_name: string }[]
        }
      | Failed<'tool_search_tool_result_error', RunFailure>
    >
  | (AnthropicMarkable & { type: 'container_upload'; file_id: string })
