import {
  type AssistantMessage,
  isObject,
  type Loose,
  looseOf,
  type Message,
  reasoningRule,
  type ToolSchema,
} from '@palimpsest/core'
import { BrokenEvent, GatewayFault } from '../../http/gateway-fault.ts'
import { isNestedDeep, parseJson } from '../../parse-json.ts'
import { hasMarks } from '../../recognition/cache-marks.ts'
import { nameInSession, withoutTimes } from '../../recognition/prefix-hashes.ts'
import {
  type ChatRequest,
  eventType,
  parseEvent,
  type ShownPrompt,
  type StreamedAnswer,
  StreamedError,
  type WholeAnswer,
  type WireFormat,
} from '../wire-format.ts'
import {
  answerPiece,
  type Block,
  blocksOf,
  isCompaction,
  isContent,
  isThinking,
  listFault,
  type Piece,
  readUnits,
  toBlock,
  toContent,
  toToolUse,
  type Unit,
} from './blocks.ts'
import {
  type BoundThinking,
  createBoundThinking,
  type Entry,
  promptDigest,
  writePrompt,
} from './write-prompt.ts'

export function createAnthropicMessages(): WireFormat {
  const bound = createBoundThinking()
  return {
    name: 'anthropic-messages',
    path: '/messages',
    readRequest: (body, headers) => readMessagesRequest(body, headers, bound),
    isError: ({ type }) => type === 'error',
    writeFault,
    eventName: eventType,
  }
}

const TYPES: Readonly<Record<number, string>> = {
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

function writeFault({ message, status, code }: GatewayFault): string {
  const error = { type: TYPES[status] ?? 'invalid_request_error', message, details: { error_code: code } }
  return JSON.stringify({ type: 'error', error })
}

/**
 * Maximum tokens reserved for an answer: `max_tokens` is often the model's limit, and an answer that does not fit ends
 * with the window.
 */
const MOST_RESERVED = 32_000
/** The flag for the long window of models with two, and its size in tokens. */
const LONG_WINDOW = { flag: /\bcontext-1m\b/, tokens: 1_000_000 }
/** A part of the system prompt for the provider alone, which changes with each version and request. */
const BILLING = 'x-anthropic-billing-header:'

function readMessagesRequest(body: Loose, headers: Headers, bound: BoundThinking): ChatRequest {
  const { thread, ...rest } = body
  if (looseOf(thread).type === 'continue') throw threadFault()
  const unmanaged = isNestedDeep(body) ? 'the body is nested too deep' : whyUnmanaged(body)
  const isManaged = unmanaged === undefined
  const system = readSystem(isManaged ? body.system : undefined)
  const units = isManaged ? readUnits(body.messages as Loose[]) : []
  const pieces = new Map<Message, { piece: Piece; unit: Unit }>()
  for (const unit of units) for (const piece of unit.pieces) pieces.set(piece.message, { piece, unit })
  const tools = (Array.isArray(body.tools) ? body.tools : []).filter(isObject)
  const compaction = units
    .flatMap(({ raws }) =>
      raws.flatMap(({ raw, blocks }) => blocks.map((block) => ({ role: String(raw.role), block }))),
    )
    .findLast(({ block }) => isCompaction(block))
  const isBound = reasoningRule(String(body.model)) === 'bound'
  const binding = isBound ? dropMismatches(body.thinking, headers) : undefined
  const searched = foundTools(isManaged ? (body.messages as Loose[]) : [])
  let said: readonly Entry[] = []
  let prefix: string | undefined
  const learn = (blocks: readonly Block[]) => {
    const thinking = blocks.filter(isThinking)
    if (thinking.length === 0) return
    prefix ??= promptDigest(said)
    for (const block of thinking) bound.learn(block, prefix)
  }
  const isAside = tools.length === 0 && headers.has(SESSION)
  return {
    model: typeof body.model === 'string' ? body.model : '',
    window: LONG_WINDOW.flag.test(headers.get('anthropic-beta') ?? '') ? LONG_WINDOW.tokens : undefined,
    conversation: isManaged ? conversationName(body, headers, blocksOf(system.piece?.own)) : undefined,
    messages: [...(system.piece === undefined ? [] : [system.piece.message]), ...pieces.keys()],
    unmanaged,
    isStream: body.stream === true,
    tools: tools.flatMap(toToolSchema),
    toolNames: new Set(tools.map(({ name }) => String(name))),
    mayOffer: !isAside && (body.tool_choice === undefined || looseOf(body.tool_choice).type === 'auto'),
    compacts: whenCompacted(body),
    isSingle: true,
    isMarked: isManaged && hasMarks(body),
    takesMarks: true,
    answerTokens:
      typeof body.max_tokens === 'number' ? Math.max(0, Math.min(body.max_tokens, MOST_RESERVED)) : 0,
    write(shown, offered, { origins, told, isLast }: ShownPrompt) {
      const pieceOf = (index: number) => {
        const origin = origins[index]
        const source = origin?.from === 'transcript' ? told[origin.index] : undefined
        return source && pieces.get(source)
      }
      const prompt = writePrompt({ shown, origins, pieceOf, bound, isBound, compaction, system })
      // The API refuses an answer without thinking in a running loop while thinking is on, so it is off for this
      // request.
      const isUnthinking = prompt.isUnthought && looseOf(body.thinking).type === 'enabled'
      said = prompt.said
      prefix = undefined
      const found = foundTools(prompt.messages)
      const isLost = ({ name }: Loose) => searched.has(name) && !found.has(name)
      const isLoaded = tools.some(isLost)
      const own = isLoaded ? tools.map((tool) => (isLost(tool) ? loaded(tool) : tool)) : tools
      return {
        ...rest,
        ...(prompt.system !== undefined && { system: prompt.system }),
        messages: prompt.messages,
        ...(binding !== undefined && { thinking: binding }),
        ...(isUnthinking && { thinking: { type: 'disabled' } }),
        ...((offered.length > 0 || isLoaded) && { tools: [...own, ...offered.map(toApiTool)] }),
        // Other tools would change the prompt, for thinking and caches.
        ...(offered.length > 0 && isLast && { tool_choice: { type: 'none' } }),
      }
    },
    headersOf({ messages }) {
      const [block] = blocksOf(looseOf((messages as readonly unknown[])[0]).content)
      const betas = headers.get('anthropic-beta') ?? ''
      const isOurs = block !== undefined && block !== compaction?.block && typeof block.signature === 'string'
      if (!isOurs || block.type !== 'compaction' || betas.includes(ON_DEMAND)) return {}
      return { 'anthropic-beta': betas === '' ? ON_DEMAND : `${betas},${ON_DEMAND}` }
    },
    isRefusedAddition: () => false,
    readAnswer: (answer) => readWholeAnswer(answer, learn),
    readStream: (own) => createMessageStream(own, learn),
  }
}

const ON_DEMAND = 'compact-2026-09-04'
/** The beta flag of clients that choose how thinking after a changed prompt is handled. */
const BINDING_CONTROLS = /\bthinking-binding-controls-/

function dropMismatches(thinking: unknown, headers: Headers): Loose | undefined {
  if (!BINDING_CONTROLS.test(headers.get('anthropic-beta') ?? '')) return undefined
  const { type, block_binding: own } = looseOf(thinking)
  const isSet = looseOf(own).prefix_mismatch_behavior !== undefined
  if (isSet || (type !== 'enabled' && type !== 'adaptive')) return undefined
  return { ...looseOf(thinking), block_binding: { ...looseOf(own), prefix_mismatch_behavior: 'drop_block' } }
}

/** A server may lose a thread. The client then sends the whole list, as the gateway needs it. */
function threadFault(): GatewayFault {
  const message = 'the gateway keeps no threads: send the whole list of messages'
  return new GatewayFault(404, 'thread_not_found', message, { param: 'thread' })
}

function whyUnmanaged({ messages, system }: Loose): string | undefined {
  if (system !== undefined && !isContent(system)) return 'system is neither a text nor a list of blocks'
  return listFault(messages)
}

function whenCompacted({
  compaction,
  context_management: managed,
  messages,
}: Loose): ChatRequest['compacts'] {
  if (isObject(compaction) || ownRequest(messages) === SUMMARY_REQUEST) return 'now'
  const { edits } = looseOf(managed)
  const compacts = (edit: unknown) => looseOf(edit).type === 'compact_20260112'
  return Array.isArray(edits) && edits.some(compacts) ? 'above-threshold' : undefined
}

function readSystem(raw: unknown) {
  const blocks = blocksOf(raw)
  const isLeft = ({ text }: Block) => typeof text === 'string' && text.startsWith(BILLING)
  const parts = blocks.filter((block) => !isLeft(block))
  const message = { role: 'system', content: toContent(parts) } as Message
  const piece: Piece | undefined = parts.length === 0 ? undefined : { message, parts, calls: [], own: parts }
  return { raw, piece, left: blocks.filter(isLeft) }
}

function toToolSchema({
  name,
  description,
  input_schema: parameters,
  defer_loading: isDeferred,
}: Loose): ToolSchema[] {
  if (typeof name !== 'string' || !isObject(parameters) || isDeferred === true) return []
  const text = typeof description === 'string' && { description }
  return [{ type: 'function', function: { name, ...text, parameters } }]
}

/** Deferred tools become visible to the model once a search has found them. */
function foundTools(messages: readonly Loose[]): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  const look = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(item)
    else if (isObject(value)) {
      const { type, tool_name: name, content, tool_references: references } = value
      if (type === 'tool_reference') names.add(name)
      look(content)
      look(references)
    }
  }
  look(messages)
  return names
}

/** Loads a tool from the start, because a summary replaced the search that found it. */
function loaded({ defer_loading: _, ...tool }: Loose): Loose {
  return tool
}

function toApiTool({ function: { name, description, parameters } }: ToolSchema): Loose {
  const schema = { ...parameters, type: 'object' }
  return { name, ...(description !== undefined && { description }), input_schema: schema }
}

function readWholeAnswer(text: string, learn: (blocks: readonly Block[]) => void): WholeAnswer | undefined {
  const answer = looseOf(parseJson(text))
  if (answer.type !== 'message' || !isContent(answer.content) || isNestedDeep(answer)) return undefined
  const blocks = blocksOf(answer.content)
  learn(blocks)
  return {
    message: answerPiece(blocks).message as AssistantMessage,
    usage: isObject(answer.usage) ? answer.usage : undefined,
    write({ content, tool_calls: calls = [] }) {
      const parts = Array.isArray(content) ? content : blocksOf(content)
      const said = parts.flatMap((part) => toBlock(part as unknown as Loose) ?? [])
      return JSON.stringify({
        ...answer,
        content: [...said, ...calls.map(toToolUse)],
      })
    },
  }
}

const SESSION = 'x-claude-code-session-id'
const AGENT = 'x-claude-code-agent-id'
/** Prefixes of Claude Code's own requests: for a summary, and for suggestions of what the user may say next. */
const SUMMARY_REQUEST = 'CRITICAL: Respond with TEXT ONLY'
const OWN_REQUESTS = [SUMMARY_REQUEST, '[SUGGESTION MODE']

/**
 * The name of a conversation in a client's session. A session has several: of sub-agents, titles under another system
 * prompt, summaries and suggestions.
 */
function conversationName(body: Loose, headers: Headers, prompt: readonly Block[]): string | undefined {
  const session = headers.get(SESSION) ?? sessionOf(looseOf(body.metadata).user_id)
  if (session === undefined) return undefined
  const parts = [
    headers.get(AGENT),
    prompt.map(({ text }) => withoutTimes(String(text))),
    Array.isArray(body.tools) && body.tools.length > 0,
    ownRequest(body.messages),
  ]
  return nameInSession(session, parts)
}

/** A user's id identifies no conversation, unless it is Claude Code's. */
function sessionOf(user: unknown): string | undefined {
  if (typeof user !== 'string') return undefined
  const { session_id: session } = looseOf(parseJson(user))
  if (typeof session === 'string' && session !== '') return session
  return /^user_.*_session_((?:(?!_session_)[\w-])+)$/.exec(user)?.[1]
}

/** The prefix of the client's own request; undefined for a user's. */
function ownRequest(messages: unknown): string | undefined {
  const list = Array.isArray(messages) ? messages.filter(isObject) : []
  const blocks = blocksOf(list.findLast(({ role }) => role === 'user')?.content)
  return OWN_REQUESTS.find((beginning) => blocks.some(({ text }) => String(text).startsWith(beginning)))
}

interface StreamedBlock {
  block: Block
  input: string
  isWhole: boolean
  readonly index: number | undefined
}

interface Round {
  readonly blocks: Map<unknown, StreamedBlock>
  usage: Loose | undefined
  end: Loose | undefined
  isOver: boolean
}

const ENDS: ReadonlySet<unknown> = new Set(['end_turn', 'tool_use'])

/**
 * Joins the API's streams, with new block numbers. Thinking after hidden steps is left out: it is bound to them and
 * could not be sent back.
 *
 * @param own Names of the engine's tools.
 */
function createMessageStream(
  own: ReadonlySet<string>,
  learn: (blocks: readonly Block[]) => void,
): StreamedAnswer {
  const begin = (): Round => ({ blocks: new Map(), usage: undefined, end: undefined, isOver: false })
  let round = begin()
  let rounds = 1
  let shown = 0

  const isVisible = (block: Block): boolean =>
    isThinking(block) ? rounds === 1 : block.type !== 'tool_use' || !own.has(String(block.name))

  const takeBlock = (event: Loose, text: string): string[] => {
    if (event.type === 'content_block_start') {
      if (round.blocks.has(event.index)) throw new BrokenEvent('two blocks have one index')
      const block = looseOf(event.content_block)
      const index = isVisible(block) ? shown++ : undefined
      round.blocks.set(event.index, { block, input: '', isWhole: false, index })
    }
    const streamed = round.blocks.get(event.index)
    if (streamed === undefined) throw new BrokenEvent('the beginning of a block is missing')
    if (event.type === 'content_block_delta') addDelta(streamed, looseOf(event.delta))
    if (event.type === 'content_block_stop') {
      streamed.isWhole = true
      learn([streamed.block])
    }
    const { index } = streamed
    if (index === undefined) return []
    return [index === event.index ? text : JSON.stringify({ ...event, index })]
  }

  return {
    beginRound() {
      round = begin()
      rounds++
    },
    take(text) {
      const event = parseEvent(text)
      if (event === undefined) return []
      const { type } = event
      if (type === 'error') throw new StreamedError(text)
      if (type === 'message_start') {
        round.usage = joinUsage(round.usage, looseOf(event.message).usage)
        return rounds === 1 ? [text] : []
      }
      if (type === 'message_delta') {
        round.usage = joinUsage(round.usage, event.usage)
        const isWhole = [...round.blocks.values()].every((block) => block.isWhole)
        if (!isWhole && ENDS.has(looseOf(event.delta).stop_reason))
          throw new BrokenEvent('the end of a block is missing')
        round.end = event
        return []
      }
      if (type === 'message_stop') {
        round.isOver = true
        return []
      }
      return 'index' in event ? takeBlock(event, text) : [text]
    },
    get message() {
      return messageOf(round)
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.end !== undefined
    },
    get isOver() {
      return round.isOver
    },
    end() {
      const whole = rounds > 1 && { usage: round.usage }
      return [{ ...round.end, ...whole }, { type: 'message_stop' }].map((event) => JSON.stringify(event))
    },
  }
}

function addDelta(streamed: StreamedBlock, delta: Loose): void {
  const { block } = streamed
  const more = (name: string) => {
    streamed.block = { ...block, [name]: String(block[name] ?? '') + String(delta[name] ?? '') }
  }
  if (delta.type === 'text_delta') more('text')
  else if (delta.type === 'thinking_delta') more('thinking')
  else if (delta.type === 'signature_delta') more('signature')
  else if (delta.type === 'compaction_delta') {
    const { type: _, ...members } = delta
    streamed.block = { ...block, ...members }
  } else if (delta.type === 'input_json_delta') streamed.input += String(delta.partial_json ?? '')
  else if (delta.type === 'citations_delta') {
    const before = Array.isArray(block.citations) ? block.citations : []
    streamed.block = { ...block, citations: [...before, delta.citation] }
  }
}

/** Incomplete thinking of an interrupted answer has no signature and is useless. */
function messageOf({ blocks }: Round): AssistantMessage {
  const inputs = new Map<Block, string>()
  const whole = [...blocks.values()].flatMap(({ block, input, isWhole }) => {
    if (!isWhole && isThinking(block)) return []
    if (input === '') return [block]
    const parsed = { ...block, input: parseJson(input) ?? {} }
    inputs.set(parsed, input)
    return [parsed]
  })
  return answerPiece(whole, inputs).message as AssistantMessage
}

function joinUsage(before: Loose | undefined, usage: unknown): Loose | undefined {
  if (!isObject(usage)) return before
  const said = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(said) }
}
