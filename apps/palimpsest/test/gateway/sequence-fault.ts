import type { Message, ToolSchema } from '@palimpsest/core'

/** A body that the upstream got. */
export interface UpstreamBody {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[]
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly max_tokens?: number
  readonly n?: number
  readonly [field: string]: unknown
}

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool']

/** Why OpenAI would refuse a request's messages or tools, in its words; undefined when it would take them. */
export function sequenceFault({ messages, tools }: UpstreamBody): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return "Invalid 'messages': empty array."
  if (tools !== undefined) {
    if (!Array.isArray(tools) || tools.length === 0) return "Invalid 'tools': empty array."
    const names = tools.map((tool) => tool.function.name)
    if (new Set(names).size < names.length) return 'Tool names must be unique.'
  }
  let open = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (!ROLES.includes(message.role)) return `Invalid value: '${message.role}' for ${at}.role.`
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id))
        return `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (${at})`
      continue
    }
    if (open.size > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (${[...open]})`
    const calls = message.role === 'assistant' ? message.tool_calls : undefined
    if (calls !== undefined && calls.length === 0) return `Invalid '${at}.tool_calls': empty array.`
    if (calls === undefined && (message.content === null || message.content === undefined))
      return `Invalid value for 'content': expected a string, got null. (${at})`
    open = new Set(calls?.map(({ id }: { readonly id: string }) => id))
    if (open.size < (calls?.length ?? 0)) return `Duplicate tool call ids. (${at})`
  }
  return open.size > 0 ? `No tool output found for ${[...open]}.` : undefined
}
