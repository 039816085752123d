import {
  type CachePlan,
  type CacheTtl,
  isInstruction,
  isObject,
  type Loose,
  type Message,
  roughTokenCounter,
  type TokenCounter,
  type ToolSchema,
  toolCallsOf,
} from '@palimpsest/core'
import type { BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import {
  type BlockTtls,
  breakpointsByPlace,
  cacheControl,
  changeAt,
  type RequestReader,
} from '../cache-wire.ts'
import { hasText, jsonText, listOf, mapShared, partsOf, splitParts, without } from '../content.ts'

/** The role is deprecated. */
export interface FunctionMessage {
  readonly role: 'function'
  readonly name: string
  readonly content: string | null
}

/** A tool that takes free text. */
export interface CustomTool {
  readonly type: 'custom'
  readonly custom: { readonly name: string }
}

/**
 * Messages and tools in OpenAI's shape: ours, or those of its SDK's `ChatCompletionCreateParams`. Other members are
 * kept.
 */
export interface MessagesRequest {
  readonly messages: readonly (Message | FunctionMessage)[]
  readonly tools?: readonly (ToolSchema | CustomTool)[]
}

export interface CacheWire extends RequestReader<MessagesRequest> {
  /**
   * Returns a copy of the request with the breakpoints of the plan and no others; unmarked parts are shared. Breakpoints
   * on blocks that cannot carry one are left out.
   *
   * @param plan The plan for this request. Null or absent: no breakpoints.
   */
  apply<Own extends MessagesRequest>(
    request: Own,
    plan?: (Pick<CachePlan, 'breakpoints'> & { readonly staticSystem?: number | undefined }) | null,
  ): Own
}

/**
 * The receiver of messages for a model with markers (Claude, Qwen, Kimi).
 * - `native`: an adapter that makes requests of Anthropic's shape, such as `toAnthropicRequest`.
 * - `openrouter`: OpenRouter, and portals to it.
 * - `litellm`: LiteLLM, and proxies that copy content parts unchanged.
 */
export type OpenAIMessagesRoute = 'native' | 'openrouter' | 'litellm'

interface Carriage {
  readonly roles: ReadonlySet<unknown>
  readonly parts: ReadonlySet<unknown>
  /**
   * True if tools, tool results and assistant messages without text carry a marker as a whole: an adapter moves it into
   * the message's last block.
   */
  readonly isAdapted: boolean
}

const TURNS = ['system', 'developer', 'user', 'assistant'] as const

/**
 * Gateways pass on markers of texts; LiteLLM drops those of files (its pull request 23883). OpenRouter hangs on a
 * marker on a tool message, and LiteLLM copies one on a part to a place where Anthropic answers 400. If tools carry no
 * marker, the system prompt's covers them.
 */
const ROUTES: Readonly<Record<OpenAIMessagesRoute, Carriage>> = {
  native: { roles: new Set(TURNS), parts: new Set(['text', 'image_url', 'file']), isAdapted: true },
  openrouter: { roles: new Set([...TURNS, 'tool']), parts: new Set(['text']), isAdapted: false },
  litellm: { roles: new Set(TURNS), parts: new Set(['text']), isAdapted: false },
}

const WIRES: Readonly<Record<OpenAIMessagesRoute, CacheWire>> = {
  native: createWire(ROUTES.native),
  openrouter: createWire(ROUTES.openrouter),
  litellm: createWire(ROUTES.litellm),
}

/**
 * The wire format of OpenAI-shaped messages with `cache_control` markers on a route. On `litellm`, neither tool results
 * nor calls without text carry a marker: the tail of an agent's loop is cached only from its next text on.
 */
export function openaiMessagesWire(route: OpenAIMessagesRoute): CacheWire {
  return WIRES[route]
}

function createWire(carriage: Carriage): CacheWire {
  return {
    parts(request) {
      const messages = listOf(request.messages)
      const [first] = messages
      const hasSystem = isObject(first) && isInstruction(first as Message)
      return {
        tools: listOf(request.tools),
        system: hasSystem ? first : null,
        messages: hasSystem ? messages.slice(1) : messages,
        firstMessage: hasSystem ? 1 : 0,
      }
    },
    readTool(tool, tokens) {
      const bare = stripTool(tool)
      return {
        kind: 'other',
        role: 'system',
        content: jsonText(bare),
        tokens: isObject(bare) ? tokens.countTools([bare as unknown as ToolSchema]) : 0,
        carries: carriage.isAdapted && isObject(bare),
      }
    },
    readSystem(system, tokens, staticSystem) {
      const bare = stripMessage(system as Loose)
      return readPieces(
        splitSystem(bare, staticSystem),
        tokens.countMessage(bare as unknown as Message),
        carriage,
      )
    },
    readMessage: (message, tokens) => readMessage(message, tokens, carriage),
    apply(request, plan) {
      const { tools, system, messages } = breakpointsByPlace(plan?.breakpoints ?? [])
      const bare = mapShared<object>(listOf(request.messages), (message) =>
        isObject(message) ? stripMessage(message) : message,
      )
      const [first] = bare
      const isSplit = isObject(first) && isInstruction(first as unknown as Message)
      const split = isSplit
        ? bare.with(0, markMessage(splitSystem(first, plan?.staticSystem), system, carriage))
        : bare
      const marked = changeAt(split, messages, (message, ttls) =>
        isObject(message) ? markMessage(message, ttls, carriage) : message,
      )
      const bareTools = mapShared<object>(listOf(request.tools), stripTool)
      const markedTools = changeAt(
        bareTools,
        carriage.isAdapted ? tools : new Map(),
        (tool, ttl: CacheTtl) => (isObject(tool) ? { ...tool, cache_control: cacheControl(ttl) } : tool),
      )
      // Marking keeps a value's type.
      return { ...request, messages: marked, ...(request.tools && { tools: markedTools }) } as typeof request
    },
  }
}

type MarkerPlace = { readonly part: number } | 'message'

interface MessagePiece {
  readonly kind: ReadBlock['kind']
  readonly content: string
  readonly weight: number
  readonly place: MarkerPlace | null
}

/**
 * The blocks of a message in the providers' order: parts, then calls. A text is one block and an empty one none; a tool
 * result, and a message without content, are one block.
 */
function messagePieces(message: Loose, carriage: Carriage): readonly MessagePiece[] {
  const { id: _, content, tool_calls: __, ...envelope } = message
  const parts = partsOf(content)
  const carriesAt = (index: number) => canCarry(message.role, parts[index], carriage)
  if (message.role === 'tool' || message.role === 'function') {
    const part = parts.findLastIndex((_, index) => carriesAt(index))
    const onPart = part === -1 ? null : { part }
    const onMessage = message.role === 'tool' ? 'message' : null
    const text = parts.length === 1 ? partText(parts[0]) : jsonText(parts)
    const place = carriage.isAdapted ? onMessage : onPart
    return [{ ...piece('tool-result', jsonText(envelope) + text), place }]
  }
  const pieces = parts.map((part, index): MessagePiece => {
    const text = partText(part)
    const place = carriesAt(index) ? { part: index } : null
    return { ...piece('other', text), weight: partWeight(part, text.length), place }
  })
  const isBare = carriage.isAdapted && pieces.every(({ place }) => place === null)
  const calls = toolCallsOf(message as unknown as Message)
  for (const [index, call] of calls.entries()) {
    const place = isBare && index === calls.length - 1 ? 'message' : null
    pieces.push({ ...piece('tool-use', jsonText(call)), place })
  }
  const [first = piece('other', ''), ...rest] = pieces
  return [{ ...first, content: jsonText(envelope) + first.content }, ...rest]
}

function piece(kind: MessagePiece['kind'], content: string): MessagePiece {
  return { kind, content, weight: Math.max(content.length, 1), place: null }
}

/** A plain text is hashed as it is, because writing it as JSON takes longer than hashing. */
function partText(part: unknown): string {
  const isPlain = isObject(part) && typeof part.text === 'string' && Object.keys(part).join() === 'type,text'
  return isPlain ? `${part.type} ${part.text}` : jsonText(part)
}

const MEDIA: ReadonlySet<unknown> = new Set(['image_url', 'file', 'input_audio', 'video_url'])

/** Four characters per token; media count as in core, not by their base64 length. */
function partWeight(part: unknown, length: number): number {
  const type = isObject(part) ? part.type : undefined
  if (type !== undefined && MEDIA.has(type))
    return 4 * roughTokenCounter.countMessage({ role: 'user', content: [part] } as Message)
  return Math.max(length, 1)
}

function canCarry(role: unknown, part: unknown, carriage: Carriage): boolean {
  if (!carriage.roles.has(role) || !isObject(part) || !carriage.parts.has(part.type)) return false
  return part.type !== 'text' || hasText(part.text)
}

function markMessage(message: Loose, ttls: BlockTtls, carriage: Carriage): Loose {
  const pieces = messagePieces(message, carriage)
  let marked = message
  for (const [block, ttl] of ttls) {
    const place = pieces[block]?.place ?? null
    const marker = { cache_control: cacheControl(ttl) }
    if (place === 'message') marked = { ...marked, ...marker }
    else if (place !== null) {
      const parts = partsOf(marked.content)
      marked = { ...marked, content: parts.with(place.part, { ...(parts[place.part] as Loose), ...marker }) }
    }
  }
  return marked
}

function readMessage(message: object, tokens: TokenCounter, carriage: Carriage): readonly ReadBlock[] {
  if (!isObject(message)) return []
  const bare = stripMessage(message)
  return readPieces(bare, tokens.countMessage(bare as unknown as Message), carriage)
}

/**
 * Splits a plain system prompt at its static start. Applied whether or not it is marked, because blocks must not change
 * when a marker goes.
 */
function splitSystem(system: Loose, staticSystem: number | undefined): Loose {
  const parts = partsOf(system.content)
  const split = splitParts(parts, staticSystem)
  return split === parts ? system : { ...system, content: split }
}

function readPieces(message: Loose, tokens: number, carriage: Carriage): ReadBlock[] {
  const role = roleOf(message.role)
  const pieces = messagePieces(message, carriage)
  const weights = pieces.map(({ weight }) => weight)
  const shares = shareTokens(tokens, weights)
  return pieces.map(({ kind, content, place }, index) => ({
    kind,
    role,
    content,
    tokens: shares[index] ?? 0,
    carries: place !== null,
  }))
}

function roleOf(role: unknown): BlockRole {
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'tool' || role === 'function') return 'tool'
  return role === 'assistant' ? 'assistant' : 'user'
}

function shareTokens(tokens: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weight = 0
  let given = 0
  return weights.map((own) => {
    weight += own
    const end = Math.round((tokens * weight) / whole)
    const share = end - given
    given = end
    return share
  })
}

function stripMessage(message: Loose): Loose {
  const bare = without(message, 'cache_control')
  const { content, tool_calls: calls } = bare
  const parts = Array.isArray(content)
    ? mapShared(content, (part) => without(part, 'cache_control'))
    : content
  const bareCalls = Array.isArray(calls) ? mapShared(calls, stripTool) : calls
  return parts === content && bareCalls === calls
    ? bare
    : { ...bare, content: parts, ...(bareCalls !== calls && { tool_calls: bareCalls }) }
}

/** Gateways read markers on `function` too. The schema is left unchanged. */
function stripTool<T>(tool: T): T {
  const bare = without(tool, 'cache_control')
  if (!isObject(bare)) return bare
  const inner = without(bare.function, 'cache_control')
  return inner === bare.function ? bare : ({ ...bare, function: inner } as T)
}
