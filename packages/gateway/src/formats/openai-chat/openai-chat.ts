import {
  type AssistantMessage,
  checkMessage,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type ToolCall,
  type ToolSchema,
} from '@palimpsest/core'
import { isNestedDeep, parseJson } from '../../parse-json.ts'
import { nameInSession, rootOf } from '../../recognition/prefix-hashes.ts'
import {
  type Additions,
  createAdditions,
  openAIRefusalBody,
  readOpenAIRefusal,
  writeOpenAIFault,
} from '../openai.ts'
import {
  type ChatRequest,
  DONE,
  parseEvent,
  positive,
  type StreamedAnswer,
  StreamedError,
  type WholeAnswer,
  type WireFormat,
} from '../wire-format.ts'
import { createStreamRound, type StreamRound, type StreamRoundInput } from './stream-round.ts'

function readChatRequest(body: Loose, headers: Headers, additions: Additions): ChatRequest {
  const tools = (Array.isArray(body.tools) ? body.tools : []).filter(isObject)
  const model = typeof body.model === 'string' ? body.model : ''
  const isSingle = body.n === undefined || body.n === null || body.n === 1
  const isStream = body.stream === true
  const { unmanaged, isMarked } = readList(body)
  const messages = unmanaged === undefined ? (body.messages as Message[]) : []
  const conversation = openCodeName(headers, messages, tools.length > 0)
  /** An agent asks for a title, or the like. */
  const isAside = conversation !== undefined && tools.length === 0
  const takesTools = isSingle && !isAside && body.tool_choice !== 'none' && body.functions === undefined
  return {
    model,
    window: undefined,
    conversation,
    messages,
    unmanaged,
    isStream,
    tools: tools.filter(isFunctionTool),
    toolNames: new Set(tools.map(toolName)),
    get mayOffer() {
      return takesTools && additions.mayAdd('tools', model)
    },
    isSingle,
    isMarked,
    answerTokens: positive(body.max_completion_tokens) ?? positive(body.max_tokens) ?? 0,
    write: (messages, offered, { isLast }) => ({
      ...body,
      messages,
      ...(offered.length > 0 &&
        !isLast && { tools: [...(Array.isArray(body.tools) ? body.tools : []), ...offered] }),
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

/**
 * The name that opencode has for its session; undefined with another client. A title is asked for in the same session, under
 * another system prompt.
 */
function openCodeName(headers: Headers, messages: readonly Message[], hasTools: boolean): string | undefined {
  const isOpenCode = headers.get('user-agent')?.startsWith('opencode/') === true
  const session = isOpenCode ? headers.get('x-session-id') : null
  if (session === null || messages.length === 0) return undefined
  return nameInSession(session, [rootOf(messages.slice(0, 1)), hasTools])
}

interface ReadList {
  /** Why the context cannot be managed; undefined when it can. */
  readonly unmanaged: string | undefined
  /** Whether there are cache breakpoints on the request, its tools, messages and their parts. */
  readonly isMarked: boolean
}

function readList(body: Loose): ReadList {
  const { messages, tools } = body
  const lists = [messages, tools].filter((list) => Array.isArray(list))
  return { unmanaged: whyUnmanaged(body), isMarked: hasMark(body) || lists.flat().some(hasMark) }
}

/** Broken pairs of calls and results can be mended. A value that is not a message cannot. */
function whyUnmanaged(body: Loose): string | undefined {
  const { messages } = body
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is not a list of messages'
  if (isNestedDeep(body)) return 'the body is nested too deep'
  for (const [index, message] of messages.entries()) {
    const fault = checkMessage(message).find(({ code }) => code !== 'INVALID_ARGUMENTS')
    if (fault !== undefined) return `messages[${index}]: ${fault.message}`
  }
  return undefined
}

function hasMark(item: unknown): boolean {
  const isMarked = (value: unknown) => looseOf(value).cache_control !== undefined
  const { content } = looseOf(item)
  return isMarked(item) || (Array.isArray(content) && content.some(isMarked))
}

function isFunctionTool(tool: Loose): tool is Loose & ToolSchema {
  return tool.type === 'function' && typeof looseOf(tool.function).name === 'string'
}

function toolName(tool: Loose): string {
  const { name } = looseOf(tool.function ?? tool.custom)
  return typeof name === 'string' ? name : ''
}

function createStreamedAnswer(input: Omit<StreamRoundInput, 'before'>): StreamedAnswer {
  const begin = (before?: StreamRound) => createStreamRound({ ...input, before: before?.seen })
  let round = begin()
  let isOver = false
  return {
    beginRound() {
      round = begin(round)
      isOver = false
    },
    take(event) {
      isOver = event === DONE
      const chunk = parseEvent(event)
      if (chunk === undefined) return []
      if (chunk.error !== undefined && chunk.error !== null) throw new StreamedError(JSON.stringify(chunk))
      return round.take(chunk).map((visible) => JSON.stringify(visible))
    },
    get message() {
      return toRequestMessage(round.message)
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.isFinished
    },
    get isOver() {
      return isOver
    },
    end: () => [...round.end().map((chunk) => JSON.stringify(chunk)), DONE],
  }
}

/** Undefined for a text that is not a completion. */
function readWholeAnswer(text: string): WholeAnswer | undefined {
  const completion = looseOf(parseJson(text))
  const [first, ...others] = Array.isArray(completion.choices) ? completion.choices : []
  const { message } = looseOf(first)
  if (!isObject(message) || isNestedDeep(completion)) return undefined
  return {
    message: toRequestMessage(message),
    usage: isObject(completion.usage) ? completion.usage : undefined,
    write({ content, tool_calls: calls }) {
      const { tool_calls: _, ...rest } = message
      const shown: Loose = { ...rest, content, ...(calls !== undefined && { tool_calls: calls }) }
      return JSON.stringify({ ...completion, choices: [{ ...looseOf(first), message: shown }, ...others] })
    },
  }
}

/** OpenAI's chat completions, as OpenAI and the many servers that speak it have them. */
export function createOpenAIChat(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-chat',
    path: '/chat/completions',
    readRequest: (body, headers) => readChatRequest(body, headers, additions),
    readRefusal: readOpenAIRefusal,
    refusalEvent: openAIRefusalBody,
    writeFault: writeOpenAIFault,
    eventName: () => undefined,
  }
}

/** Fields of answers that requests do not take, or that say nothing when they come back. */
const ANSWER_ONLY = new Set([
  'role',
  'content',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
  'index',
])

/**
 * An answer as the assistant message of the next request. Fields that are not known stay, because some providers want
 * them back, such as reasoning; those without a value go.
 */
export function toRequestMessage(answer: Loose): AssistantMessage {
  const rest = Object.entries(answer).filter(
    ([name, value]) =>
      !ANSWER_ONLY.has(name) && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  const calls = Array.isArray(answer.tool_calls) ? answer.tool_calls.filter(isObject).map(toCall) : []
  return {
    ...Object.fromEntries(rest),
    role: 'assistant',
    content: contentOf(answer, calls.length > 0) ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function contentOf({ content }: Loose, hasCalls: boolean): AssistantMessage['content'] {
  if (typeof content === 'string' || Array.isArray(content)) return content as AssistantMessage['content']
  return hasCalls ? null : ''
}

/** A call with what the wire shape needs; its other fields, such as a signature, stay. */
function toCall({ index: _, ...call }: Loose): ToolCall {
  const id = typeof call.id === 'string' ? call.id : ''
  if (call.type === 'custom') {
    const { name, input } = looseOf(call.custom)
    return { ...call, id, type: 'custom', custom: { name: String(name), input: String(input ?? '') } }
  }
  const { name, arguments: text } = looseOf(call.function)
  const fields = {
    name: String(name),
    arguments: typeof text === 'string' ? text : JSON.stringify(text ?? {}),
  }
  return { ...call, id, type: 'function', function: { ...looseOf(call.function), ...fields } }
}
