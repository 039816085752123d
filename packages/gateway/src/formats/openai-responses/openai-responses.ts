import { isObject, type Loose, looseOf, type Message, type ToolSchema } from '@palimpsest/core'
import { BrokenEvent } from '../../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../../parse-json.ts'
import { nameInSession, rootOf } from '../../recognition/prefix-hashes.ts'
import { type Additions, createAdditions, writeOpenAIFault } from '../openai.ts'
import {
  type ChatRequest,
  eventType,
  parseEvent,
  positive,
  type StreamedAnswer,
  StreamedError,
  type WholeAnswer,
  type WireFormat,
} from '../wire-format.ts'
import {
  type Item,
  isMessage,
  isPinned,
  isReasoning,
  outputOf,
  visibleItem,
  visibleItems,
  visibleResponse,
} from './item.ts'
import { toAnswer, toMessages, writeItems, writePrompt } from './item-messages.ts'

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
    conversation: conversationOf(headers, messages, own),
    messages,
    unmanaged,
    isStream: body.stream === true,
    tools: tools.map(toToolSchema),
    toolNames: new Set([...tools, ...pinned].flatMap(toolNames)),
    get mayOffer() {
      return takesTools && additions.mayAdd('tools', model)
    },
    compacts: own === 'compaction' ? 'now' : whenCompacted(body, items),
    isSingle: true,
    isMarked: false,
    takesMarks: false,
    answerTokens: positive(body.max_output_tokens) ?? 0,
    write: (shown, offered, { isLast }) => writeBody(body, shown, isLast ? [] : offered, pinned),
    isRefusedAddition: (sent, refusal, status) =>
      additions.learn({ asked: body, sent, model, status, refusal }),
    readAnswer: (answer) => readWhole(answer, { body, isStateless, rounds }),
    readStream: (engines) => createResponseStream({ asked: body, isStateless, own: engines }),
  }
}

/** Members that refer to a conversation stored at the upstream, which the gateway cannot see. */
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

function whenCompacted(
  { context_management: managed }: Loose,
  items: readonly Item[],
): ChatRequest['compacts'] {
  if (items.at(-1)?.type === 'compaction_trigger') return 'now'
  const compacts = (item: unknown) => looseOf(item).type === 'compaction'
  return Array.isArray(managed) && managed.some(compacts) ? 'above-threshold' : undefined
}

function itemsOf(input: unknown): Item[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : (input as Item[])
}

/** Headers that name a conversation, most exact first: agents of one session have their own threads. */
const NAMES = ['thread-id', 'thread_id', 'session-id', 'session_id']

/** The kind of Codex's own request, such as `compaction`: its whole list and one more item. Undefined for a turn. */
function ownRequest(headers: Headers): string | undefined {
  const { request_kind: kind } = looseOf(parseJson(headers.get('x-codex-turn-metadata') ?? ''))
  return typeof kind === 'string' && kind !== 'turn' ? kind : undefined
}

/** Other instructions make another conversation, such as a sub-agent's or a title's; so does a client's own request. */
function conversationOf(
  headers: Headers,
  messages: readonly Message[],
  own: string | undefined,
): string | undefined {
  const name = NAMES.map((header) => headers.get(header)).find(Boolean)
  return name ? nameInSession(name, [rootOf(messages.slice(0, 1)), own]) : undefined
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
  readonly rounds: Loose[]
}

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

export function createOpenAIResponses(): WireFormat {
  const additions = createAdditions()
  return {
    name: 'openai-responses',
    path: '/responses',
    readRequest: (body, headers) => readResponsesRequest(body, headers, additions),
    isError: ({ error }) => error !== undefined,
    writeFault: writeOpenAIFault,
    errorEvent,
    eventName: eventType,
  }
}

/** Clients look for an error's members in either place. */
function errorEvent(body: string): string {
  const { error } = looseOf(parseJson(body))
  const { code = null, message = String(error), param = null } = looseOf(error)
  return JSON.stringify({ type: 'error', code, message, param, error })
}

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

/** A namespace has several names. */
function toolNames({ name, type, tools }: Loose): string[] {
  const inner = Array.isArray(tools) ? tools.flatMap((tool) => toolNames(looseOf(tool))) : []
  return [typeof name === 'string' ? name : String(type), ...inner]
}

function engineTool({ function: { name, description, parameters } }: ToolSchema): Loose {
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false }
}

interface ResponseStreamInput {
  readonly asked: Loose
  readonly isStateless: boolean
  readonly own: ReadonlySet<string>
}

const BEGIN = new Set(['response.created', 'response.queued', 'response.in_progress'])
const END = new Set(['response.completed', 'response.incomplete'])

interface ResponseRound {
  readonly items: Item[]
  readonly indexes: Map<unknown, number>
  held?: Loose | undefined
  last?: Loose
}

function createResponseStream({ asked, isStateless, own }: ResponseStreamInput): StreamedAnswer {
  const begin = (): ResponseRound => ({ items: [], indexes: new Map() })
  let round = begin()
  let sequence = 0
  let first: Loose | undefined
  const begun = new Set<unknown>()
  const output: (Item | undefined)[] = []

  const isHidden = (item: Item) => item.type === 'function_call' && own.has(String(item.name))
  const wholeItems = () => output.filter((item) => item !== undefined)

  const framed = (response: Loose): Loose => {
    const { id, created_at } = first ?? response
    return { ...visibleResponse(response, asked), id, ...(created_at !== undefined && { created_at }) }
  }

  const write = (event: Loose): string => {
    const { response } = event
    const shown = isObject(response) ? { ...event, response: framed(response) } : event
    return JSON.stringify({ ...shown, sequence_number: sequence++ })
  }

  const done = (event: Loose): string => {
    output[Number(event.output_index)] = looseOf(event.item)
    return write(event)
  }

  const flush = (next?: Item): string[] => {
    const { held } = round
    if (held === undefined) return []
    round.held = undefined
    return [done({ ...held, item: visibleItem(looseOf(held.item), next, isHidden) })]
  }

  const takeOfItem = (event: Loose): string[] => {
    const { type, output_index: place } = event
    const { items, indexes } = round
    const isAdded = type === 'response.output_item.added'
    const item = looseOf(event.item)
    const before = isAdded ? flush(item) : []
    if (!isAdded && items[Number(place)] === undefined)
      throw new BrokenEvent('the beginning of an item is missing')
    if (isObject(event.item)) items[Number(place)] = event.item
    else addPiece(items, event)
    if (isAdded && !isHidden(item)) indexes.set(place, output.push(undefined) - 1)
    const index = indexes.get(place)
    if (index === undefined) return before
    const visible = { ...event, output_index: index }
    if (type !== 'response.output_item.done') return [...before, write(visible)]
    if (!isReasoning(item)) return [done(visible)]
    round.held = visible
    return []
  }

  const takeEnd = (event: Loose): void => {
    const { items, indexes, held } = round
    for (const [place, item] of outputOf(looseOf(event.response)).entries()) {
      items[place] ??= item
      if (isHidden(item)) continue
      const index = indexes.get(place) ?? output.length
      indexes.set(place, index)
      output[index] ??= item
    }
    const isWhole = [...indexes.values()].every((index) => output[index] !== undefined)
    if (!isWhole && held === undefined && event.type === 'response.completed')
      throw new BrokenEvent('the end of an item is missing')
    round.last = event
  }

  return {
    beginRound() {
      round = begin()
    },
    take(text) {
      const event = parseEvent(text)
      if (event === undefined) return []
      const { type, response } = event
      if (type === 'error' || type === 'response.failed') throw failure(event, wholeItems())
      if (BEGIN.has(String(type))) {
        if (begun.has(type)) return []
        begun.add(type)
        first ??= looseOf(response)
        return [write(event)]
      }
      if (!END.has(String(type))) return event.output_index === undefined ? [write(event)] : takeOfItem(event)
      takeEnd(event)
      return []
    },
    get message() {
      const items = round.items.filter((item) => item !== undefined)
      return toAnswer(items, isStateless)
    },
    get usage() {
      const { usage } = looseOf(round.last?.response)
      return isObject(usage) ? usage : undefined
    },
    get isFinished() {
      return round.last !== undefined
    },
    get isOver() {
      return round.last !== undefined
    },
    end() {
      const { last } = round
      if (last === undefined) return []
      const held = flush()
      return [...held, write({ ...last, response: { ...looseOf(last.response), output: wholeItems() } })]
    },
    fail: (event) => write(looseOf(parseJson(event))),
  }
}

function addPiece(items: Item[], { type, output_index: place, delta }: Loose): void {
  const item = items[Number(place)]
  if (type !== 'response.output_text.delta' || item === undefined || typeof delta !== 'string') return
  const [part] = Array.isArray(item.content) ? item.content : []
  const before = looseOf(part).text
  const text = `${typeof before === 'string' ? before : ''}${delta}`
  items[Number(place)] = { ...item, content: [{ type: 'output_text', text }] }
}

function failure(event: Loose, output: readonly Item[]): StreamedError {
  const { response } = event
  const error = looseOf(looseOf(response).error ?? event.error ?? event)
  const said = isObject(response) ? { ...event, response: { ...response, output } } : event
  return new StreamedError(JSON.stringify(said), { code: error.code, message: error.message })
}
