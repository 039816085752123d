import { isObject, type Loose, looseOf, type Message, type ToolSchema } from '@palimpsest/core'
import { BrokenEvent, type GatewayFault } from '../../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../../parse-json.ts'
import { digest, rootOf } from '../../recognition/prefix-hashes.ts'
import {
  type Additions,
  createAdditions,
  openAIRefusalBody,
  readOpenAIRefusal,
  writeOpenAIFault,
} from '../openai.ts'
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
  type IsHidden,
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

export interface ResponseStreamInput {
  readonly asked: Loose
  readonly isStateless: boolean
  /** Names of the engine's tools; it may grow. */
  readonly own: ReadonlySet<string>
}

const BEGIN = new Set(['response.created', 'response.queued', 'response.in_progress'])
const END = new Set(['response.completed', 'response.incomplete'])

interface Shown {
  /** The id of the first response, which all events name. */
  first: Loose | undefined
  readonly begun: Set<unknown>
  /** The client's items, as far as they are whole. */
  readonly output: (Item | undefined)[]
  write(event: Loose): string
}

export function createResponseStream(input: ResponseStreamInput): StreamedAnswer {
  let sequence = 0
  const shown: Shown = {
    first: undefined,
    begun: new Set(),
    output: [],
    write(event) {
      const { response } = event
      const framed = isObject(response) ? { ...event, response: frame(response, shown, input.asked) } : event
      return JSON.stringify({ ...framed, sequence_number: sequence++ })
    },
  }
  let round = createRound(input, shown)
  return {
    beginRound() {
      round = createRound(input, shown)
    },
    take(event) {
      const data = parseEvent(event)
      return data === undefined ? [] : round.take(data)
    },
    get message() {
      return toAnswer(round.items, input.isStateless)
    },
    get usage() {
      return round.usage
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
      const response = {
        ...looseOf(last.response),
        output: shown.output.filter((item) => item !== undefined),
      }
      return [...round.flush(), shown.write({ ...last, response })]
    },
    fail: (event) => shown.write(looseOf(parseJson(event))),
  }
}

function frame(response: Loose, { first }: Shown, asked: Loose): Loose {
  const { id, created_at } = first ?? response
  return { ...visibleResponse(response, asked), id, ...(created_at !== undefined && { created_at }) }
}

function createRound({ own }: ResponseStreamInput, shown: Shown) {
  const items: Item[] = []
  const indexes = new Map<unknown, number>()
  let last: Loose | undefined
  /** The end of a reasoning item. */
  let held: Loose | undefined

  const isHidden = (item: Item) => item.type === 'function_call' && own.has(String(item.name))

  /** Events that were held back until the next item is known. */
  const flush = (next?: Item): string[] => {
    if (held === undefined) return []
    const event = { ...held, item: visibleItem(looseOf(held.item), next, isHidden) }
    held = undefined
    return [done(event)]
  }

  const done = (event: Loose): string => {
    shown.output[Number(event.output_index)] = looseOf(event.item)
    return shown.write(event)
  }

  const takeOfItem = (event: Loose): string[] => {
    const { type, output_index: place } = event
    const item = looseOf(event.item)
    const before = type === 'response.output_item.added' ? flush(item) : []
    if (type !== 'response.output_item.added' && items[Number(place)] === undefined)
      throw new BrokenEvent('the beginning of an item is missing')
    if (isObject(event.item)) items[Number(place)] = event.item
    else addPiece(items, event)
    if (type === 'response.output_item.added' && !isHidden(item)) {
      indexes.set(place, shown.output.length)
      shown.output.push(undefined)
    }
    const index = indexes.get(place)
    if (index === undefined) return before
    const visible = { ...event, output_index: index }
    if (type !== 'response.output_item.done') return [...before, shown.write(visible)]
    if (!isReasoning(item)) return [done(visible)]
    held = visible
    return []
  }

  return {
    take(event: Loose): string[] {
      const { type, response } = event
      if (type === 'error' || type === 'response.failed') throw failure(event, shown)
      if (BEGIN.has(String(type))) {
        if (shown.begun.has(type)) return []
        shown.begun.add(type)
        shown.first ??= looseOf(response)
        return [shown.write(event)]
      }
      if (END.has(String(type))) {
        fillIn(outputOf(looseOf(response)), { items, indexes, output: shown.output, isHidden })
        const isWhole = [...indexes.values()].every((index) => shown.output[index] !== undefined)
        if (!isWhole && held === undefined && type === 'response.completed')
          throw new BrokenEvent('the end of an item is missing')
        last = event
        return []
      }
      return event.output_index === undefined ? [shown.write(event)] : takeOfItem(event)
    },
    flush,
    get items(): readonly Item[] {
      return items.filter((item) => item !== undefined)
    },
    get usage(): Loose | undefined {
      const { usage } = looseOf(last?.response)
      return isObject(usage) ? usage : undefined
    },
    get last() {
      return last
    },
  }
}

interface ItemsSoFar {
  readonly items: Item[]
  readonly indexes: Map<unknown, number>
  readonly output: (Item | undefined)[]
  readonly isHidden: IsHidden
}

/** Takes items that only the end of a response has, and the wholes of those that it repeats. */
function fillIn(whole: readonly Item[], { items, indexes, output, isHidden }: ItemsSoFar): void {
  for (const [place, item] of whole.entries()) {
    items[place] ??= item
    if (isHidden(item)) continue
    const index = indexes.get(place) ?? output.length
    indexes.set(place, index)
    output[index] ??= item
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

/** The error that the upstream reports, with what tells kinds of errors apart. */
function failure(event: Loose, shown: Shown): StreamedError {
  const error = looseOf(looseOf(event.response).error ?? event.error ?? event)
  const output = shown.output.filter((item) => item !== undefined)
  const said = isObject(event.response) ? { ...event, response: { ...event.response, output } } : event
  return new StreamedError(JSON.stringify(said), { code: error.code, message: error.message })
}
