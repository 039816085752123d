import { checkMessage, type Message, type ToolSchema } from '@palimpsest/core'
import { isObject, type Loose, looseOf } from '@palimpsest/core/provider'
import { GatewayFault } from './gateway-fault.ts'

/** A body of `/v1/chat/completions`, read as far as the gateway has to know it. */
export interface ChatRequest {
  /** As the client sent it. */
  readonly body: Loose
  readonly model: string
  readonly messages: readonly Message[]
  /** Why the context of this request cannot be managed; undefined when it can. */
  readonly unmanaged: string | undefined
  readonly isStream: boolean
  /** Whether the client wants a stream's usage. */
  readonly wantsUsage: boolean
  /** The client's tools, as sessions count them. */
  readonly tools: readonly ToolSchema[]
  /** Names of all tools of the client, of whatever kind. */
  readonly toolNames: ReadonlySet<string>
  /** Whether tools of the engine may be offered beside the client's. */
  readonly mayOffer: boolean
  /** Whether there is one answer, and the next list goes on from it. */
  readonly isSingle: boolean
  /** Tokens that the client wants for the answer; 0 when it does not say. */
  readonly answerTokens: number
}

/** @throws GatewayFault 400 for what is not a JSON object. */
export function readChatRequest(text: string): ChatRequest {
  const body = parseBody(text)
  const tools = (Array.isArray(body.tools) ? body.tools : []).filter(isTool)
  const isSingle = body.n === undefined || body.n === null || body.n === 1
  const unmanaged = whyUnmanaged(body.messages)
  return {
    body,
    model: typeof body.model === 'string' ? body.model : '',
    messages: unmanaged === undefined ? (body.messages as Message[]) : [],
    unmanaged,
    isStream: body.stream === true,
    wantsUsage: looseOf(body.stream_options).include_usage === true,
    tools: tools.filter(isFunctionTool),
    toolNames: new Set(tools.map(toolName)),
    mayOffer: isSingle && body.tool_choice !== 'none' && body.functions === undefined,
    isSingle,
    answerTokens: positive(body.max_completion_tokens) ?? positive(body.max_tokens) ?? 0,
  }
}

function parseBody(text: string): Loose {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new GatewayFault(400, 'invalid_json', `the body must be JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
  if (!isObject(body)) throw new GatewayFault(400, 'invalid_json', 'the body must be a JSON object')
  return body
}

/** Broken pairs of calls and results can be mended, what is no message cannot. */
function whyUnmanaged(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list of messages'
  for (const [index, message] of messages.entries()) {
    const fault = checkMessage(message).find(({ code }) => code !== 'INVALID_ARGUMENTS')
    if (fault !== undefined) return `messages[${index}]: ${fault.message}`
  }
  return undefined
}

function isTool(tool: unknown): tool is Loose {
  return isObject(tool)
}

function isFunctionTool(tool: Loose): tool is Loose & ToolSchema {
  return tool.type === 'function' && typeof looseOf(tool.function).name === 'string'
}

function toolName(tool: Loose): string {
  const { name } = looseOf(tool.function ?? tool.custom)
  return typeof name === 'string' ? name : ''
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined
}
