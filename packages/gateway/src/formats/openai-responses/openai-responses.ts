import { isObject, type Loose, looseOf, type Message, type ToolSchema } from '@palimpsest/core'
import type { GatewayFault } from '../../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../../parse-json.ts'
import { digest, rootOf } from '../../recognition/prefix-hashes.ts'
import {
  type Additions,
  createAdditions,
  openAIRefusalBody,
  readOpenAIRefusal,
  writeOpenAIFault,
} from '../openai.ts'
import { type ChatRequest, eventType, positive, type WholeAnswer, type WireFormat } from '../wire-format.ts'
import { type Item, isMessage, isPinned, outputOf, visibleItems, visibleResponse } from './item.ts'
import { toAnswer, toMessages } from './items-to-messages.ts'
import { writeItems, writePrompt } from './messages-to-items.ts'
import { createResponseStream } from './response-stream.ts'

function readResponsesRequest(body: Loose, headers: Headers, additions: Additions): ChatRequest {
  const unmanaged = whyUnmanaged(body)
  const isStateless = body.store === false
  const items = unmanaged === undefined ? itemsOf(body.input) : []
  const instructions = typeof body.instructions === 'string' ? body.instructions : undefined
  const messages = toMessages(items, { instructions, isStateless })
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : []
  const model = typeof body.model === 'string' ? body.model : ''
  const own = ownRequest(headers)
  const takesTools =
    isStateless && own === undefined && (body.tool_choice === undefined || body.tool_choice === 'auto')
  const pinned = items.filter(isPinned)
  const rounds: Loose[] = []
  return {
    model,
    window: undefined,
    conversation: conversationOf(headers, messages, own),
    messages,
    unmanaged,
    isStream: body.stream === true,
    tools: tools.map(toToolSchema),
    toolNames: new Set([...tools, ...pinned].flatMap(toolNames)),
    get mayOffer() {
      return takesTools && additions.mayAdd('tools', model)
    },
    isSingle: true,
    // Breakpoints of a session have no place here.
    isMarked: true,
    answerTokens: positive(body.max_output_tokens) ?? 0,
    write: (shown, offered, { isLast }) => writeBody(body, shown, isLast ? [] : offered, pinned),
    isRefusedAddition: (sent, refusal, status) =>
      additions.learn({ asked: body, sent, model, status, refusal }),
    readAnswer: (answer) => readWhole(answer, { body, isStateless, rounds }),
    readStream: (engines) => createResponseStream({ asked: body, isStateless, own: engines }),
  }
}

/** Members of a body with which the upstream has a part of the conversation that the gateway does not see. */
const STORED = ['previous_response_id', 'conversation']

function whyUnmanaged(body: Loose): string | undefined {
  if (isNestedDeep(body)) return 'the body is nested too deep'
  const stored = STORED.find((name) => body[name] !== undefined && body[name] !== null)
  if (stored !== undefined)
    return `${stored}: the upstream keeps the conversation, so its context is not managed`
  if (body.background === true)
    return 'background: the answer is fetched later, so its context is not managed'
  const { input } = body
  if (typeof input === 'string') return undefined
  if (!Array.isArray(input) || input.length === 0) return 'input is neither a text nor a list of items'
  for (const [index, item] of input.entries()) {
    if (!isObject(item) || !(typeof item.type === 'string' || isMessage(item)))
      return `input[${index}] is no item`
    if (item.type === 'item_reference')
      return `input[${index}] is kept by the upstream, so the context is not managed`
    const args = item.arguments ?? item.input
    if (typeof args === 'string' && isNestedDeep(parseJson(args))) return `input[${index}] is nested too deep`
  }
  return undefined
}

function itemsOf(input: unknown): Item[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Item[])
}

/** Headers that name a conversation, the most exact first: agents of one session have threads of their own. */
const NAMES = ['thread-id', 'thread_id', 'session-id', 'session_id']
const NAME = /^[\w.:-]{1,100}$/

/** The kind of a request that Codex makes by itself, such as `compaction`, which is its whole list and one item more; undefined in a turn. */
function ownRequest(headers: Headers): string | undefined {
  const { request_kind: kind } = looseOf(parseJson(headers.get('x-codex-turn-metadata') ?? ''))
  return typeof kind === 'string' && kind !== 'turn' ? kind : undefined
}

/**
 * The client's name of the conversation. Under other instructions it is another one: a sub-agent, or a title; so is what the
 * client asks for by itself.
 */
function conversationOf(
  headers: Headers,
  messages: readonly Message[],
  own: string | undefined,
): string | undefined {
  const name = NAMES.map((header) => headers.get(header)).find((value) => value !== null && NAME.test(value))
  if (typeof name !== 'string') return undefined
  const prompt = rootOf(messages.slice(0, 1)) || digest('')
  return `${name}:${own === undefined ? prompt : digest(`${prompt} ${own}`)}`
}

function writeBody(
  body: Loose,
  messages: readonly Message[],
  offered: readonly ToolSchema[],
  pinned: readonly Item[],
): Loose {
  const { instructions, items: prompt } = writePrompt(messages[0])
  const rest = writeItems(instructions === undefined && prompt.length === 0 ? messages : messages.slice(1))
  const written = new Set([...prompt, ...rest].map((item) => (isPinned(item) ? JSON.stringify(item) : '')))
  const missing = pinned.filter((item) => !written.has(JSON.stringify(item)))
  const input = [...prompt, ...missing, ...rest]
  const isPlain = typeof body.input === 'string' && input.length === 1 && input[0]?.content === body.input
  const tools = Array.isArray(body.tools) ? body.tools : []
  return {
    ...body,
    ...(instructions !== undefined && { instructions }),
    input: isPlain ? body.input : input,
    ...(offered.length > 0 && { tools: [...tools, ...offered.map(engineTool)] }),
  }
}

interface WholeInput {
  readonly body: Loose
  readonly isStateless: boolean
  /** All answers of this request so far. */
  readonly rounds: Loose[]
}

/** Undefined for a text that is not a response that is over. */
function readWhole(text: string, { body, isStateless, rounds }: WholeInput): WholeAnswer | undefined {
  const response = looseOf(parseJson(text))
  const { status, usage } = response
  const isOver = status === undefined || status === 'completed' || status === 'incomplete'
  if (!Array.isArray(response.output) || !isOver || isNestedDeep(response)) return undefined
  rounds.push(response)
  return {
    message: toAnswer(outputOf(response), isStateless),
    usage: isObject(usage) ? usage : undefined,
    isEcho: response.tools !== undefined,
    write({ tool_calls: calls = [] }) {
      const theirs = new Set<unknown>(calls.map(({ id }) => id))
      const isHidden = ({ type, call_id: id }: Item) => type === 'function_call' && !theirs.has(id)
      const output = rounds.flatMap((round) => visibleItems(outputOf(round), isHidden))
      return JSON.stringify({ ...visibleResponse(response, body), output })
    },
  }
}

/** OpenAI's Responses API. */
export function createOpenAIResponses(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-responses',
    path: '/responses',
    readRequest: (body, headers) => readResponsesRequest(body, headers, additions),
    readRefusal: readOpenAIRefusal,
    refusalEvent: (text, status) => errorEvent(openAIRefusalBody(text, status)),
    writeFault: writeOpenAIFault,
    faultEvent: (fault: GatewayFault) => errorEvent(writeOpenAIFault(fault)),
    eventName: eventType,
  }
}

/** The members of an error stand beside it too: clients look in either place. */
function errorEvent(body: string): string {
  const { error } = looseOf(parseJson(body))
  const { code = null, message = String(error), param = null } = looseOf(error)
  return JSON.stringify({ type: 'error', code, message, param, error })
}

/** A tool of the Responses API as sessions count it. */
function toToolSchema(tool: Loose): ToolSchema {
  const { type, name, description, parameters, ...rest } = tool
  return {
    type: 'function',
    function: {
      name: typeof name === 'string' ? name : String(type),
      ...(typeof description === 'string' && { description }),
      parameters: isObject(parameters) ? parameters : rest,
    },
  }
}

/** The names that a tool gives to a model: a namespace gives several. */
function toolNames({ name, type, tools }: Loose): string[] {
  const inner = Array.isArray(tools) ? tools.flatMap((tool) => toolNames(looseOf(tool))) : []
  return [typeof name === 'string' ? name : String(type), ...inner]
}

/** A tool of the engine as the Responses API has it. Its schema is not made for the strict mode. */
function engineTool({ function: { name, description, parameters } }: ToolSchema): Loose {
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false }
}
