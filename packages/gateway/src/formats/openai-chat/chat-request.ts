import { checkMessage, isObject, type Loose, looseOf, type Message, type ToolSchema } from '@palimpsest/core'
import { GatewayFault } from '../../http/gateway-fault.ts'
import { isNestedDeep } from '../../is-nested-deep.ts'
import type { ChatRequest } from '../wire-format.ts'
import type { Additions } from './additions.ts'
import { createStreamedAnswer } from './streamed-answer.ts'
import { readWholeAnswer } from './whole-answer.ts'

/** @throws GatewayFault 400 for what is not a JSON object. */
export function readChatRequest(text: string, additions: Additions): ChatRequest {
  const body = parseBody(text)
  const tools = (Array.isArray(body.tools) ? body.tools : []).filter(isObject)
  const model = typeof body.model === 'string' ? body.model : ''
  const isSingle = body.n === undefined || body.n === null || body.n === 1
  const isStream = body.stream === true
  const unmanaged = isNestedDeep(body) ? 'the body is nested too deep' : whyUnmanaged(body.messages)
  const takesTools = isSingle && body.tool_choice !== 'none' && body.functions === undefined
  return {
    text,
    model,
    messages: unmanaged === undefined ? (body.messages as Message[]) : [],
    unmanaged,
    isStream,
    tools: tools.filter(isFunctionTool),
    toolNames: new Set(tools.map(toolName)),
    get mayOffer() {
      return takesTools && additions.mayAdd('tools', model)
    },
    isSingle,
    isMarked: hasBreakpoints(body),
    answerTokens: positive(body.max_completion_tokens) ?? positive(body.max_tokens) ?? 0,
    write: (messages, offered) => ({
      ...body,
      messages,
      ...(offered.length > 0 && { tools: [...(Array.isArray(body.tools) ? body.tools : []), ...offered] }),
      ...(isStream &&
        additions.mayAdd('usage', model) && {
          stream_options: { ...looseOf(body.stream_options), include_usage: true },
        }),
    }),
    isRefusedAddition: (sent, refusal, status) =>
      additions.learn({ asked: body, sent, model, status, refusal }),
    readAnswer: readWholeAnswer,
    readStream: (own) => {
      const wantsUsage = looseOf(body.stream_options).include_usage === true
      return createStreamedAnswer({ own, isSingle, wantsUsage })
    },
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

/** On the request, its tools, messages and their parts. */
function hasBreakpoints(body: Loose): boolean {
  const lists = [body.messages, body.tools].filter(Array.isArray).flat()
  const parts = lists.flatMap((item) => {
    const { content } = looseOf(item)
    return Array.isArray(content) ? content : []
  })
  return [body, ...lists, ...parts].some((value) => looseOf(value).cache_control !== undefined)
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
