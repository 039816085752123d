import {
  type CacheAnchor,
  isInstruction,
  isObject,
  isSummary,
  type Loose,
  type Message,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import type { BlockRole, ReadBlock } from '../../layout/request-layout.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { anchorsByPlace, type BlockTtls, changeAt, fitAnchors } from '../fit-anchors.ts'
import { listOf, mapShared } from '../lists.ts'
import { wireText } from '../wire-text.ts'
import { extendPart, splitContent, toParts } from '../wrapped-content.ts'
import { type Carriage, messagePieces } from './message-pieces.ts'
import { stripMessage, stripTool, withoutMarkers } from './strip-message.ts'

/** The common members of requests with messages of OpenAI's shape. */
interface AnyRequest {
  readonly messages: readonly object[]
  readonly tools?: readonly object[] | undefined
}

export interface MessagesWireOptions<Request> {
  readonly carriage: Carriage
  /** Other settings that decide whether a prompt is the same. */
  readonly settings: (request: Request) => CacheSettings
  /** Completes a request that got markers. */
  readonly onMarked?: (request: Request) => Request
  /** Undoes `onMarked`. `wasMarked`: whether a breakpoint was taken out. */
  readonly onStripped?: (request: Request, wasMarked: boolean) => Request
}

/** The wire format of requests with messages of OpenAI's shape, for a route that takes markers as `carriage` says. */
export function createMessagesWire<Request extends AnyRequest>(
  options: MessagesWireOptions<Request>,
): CacheWire<Request> {
  const { carriage, settings, onMarked = same, onStripped = same } = options

  const strip = <Own extends Request>(request: Own): Own => {
    const { messages, tools } = request
    const bareMessages = Array.isArray(messages) ? mapShared(listOf(messages), stripMessage) : messages
    const bareTools = Array.isArray(tools) ? mapShared(listOf(tools), stripTool) : tools
    const wasMarked = bareMessages !== messages || bareTools !== tools
    // A marked value keeps its type.
    const bare = onStripped(withoutMarkers(request), wasMarked) as Own
    if (!wasMarked) return bare
    return { ...bare, messages: bareMessages, ...(bareTools !== tools && { tools: bareTools }) }
  }

  const wire: CacheWire<Request> = {
    name: carriage.name,

    parts(request) {
      const messages = listOf(request.messages)
      const tools = listOf(request.tools)
      const system = systemOf(messages)
      return {
        tools,
        system,
        messages: system === null ? messages : messages.slice(1),
        firstMessage: system === null ? 0 : 1,
        settings: settings(request),
      }
    },

    readTool: (tool, tokens) => readTool(tool, tokens, carriage),
    readSystem: (system, tokens, staticSystem) => readSystem(system, tokens, carriage, staticSystem),
    readMessage: (message, tokens) => readMessage(message, tokens, carriage),

    apply(request, anchors, staticSystem) {
      const bare = strip(request)
      const fitted = fitAnchors(wire, bare, anchors, staticSystem)
      if (fitted.length === 0) return bare
      const messages = listOf(bare.messages)
      const lists = {
        messages,
        tools: listOf(bare.tools),
        hasSystem: systemOf(messages) !== null,
        staticSystem,
      }
      return onMarked({ ...bare, ...markLists(lists, fitted, carriage) }) as typeof bare
    },

    strip,
  }
  return wire
}

function same<T>(request: T): T {
  return request
}

function systemOf(messages: readonly object[]): object | null {
  const [first] = messages
  return isObject(first) && isInstruction(first as unknown as Message) ? first : null
}

/** The lists of a request without markers. */
interface MarkableLists {
  readonly messages: readonly object[]
  readonly tools: readonly object[]
  readonly hasSystem: boolean
  /** Characters of the system prompt that are a block of their own. */
  readonly staticSystem: number | undefined
}

/** Copies of the lists with these breakpoints, all of which can be carried. What is not marked is shared. */
function markLists(
  { messages, tools, hasSystem, staticSystem }: MarkableLists,
  anchors: readonly CacheAnchor[],
  carriage: Carriage,
): { readonly messages: readonly object[]; readonly tools?: readonly object[] } {
  const wanted = anchorsByPlace(anchors)
  const [system] = messages
  const isMarkable = hasSystem && system !== undefined
  const split = isMarkable
    ? messages.with(0, markMessage(splitSystem(system, staticSystem), wanted.system, carriage))
    : messages
  return {
    messages: changeAt(split, wanted.messages, (message, ttls) =>
      isObject(message) ? markMessage(message, ttls, carriage) : message,
    ),
    ...(wanted.tools.size > 0 && {
      tools: changeAt(tools, wanted.tools, (tool, ttl) => ({
        ...tool,
        [carriage.field]: carriage.marker(ttl),
      })),
    }),
  }
}

/**
 * A copy of a message without markers that has them on these blocks, of which each carries one or is where
 * `system_and_3` sets one; the message itself when there are none. A text becomes a list of one part, with the same bytes
 * in it.
 */
function markMessage(message: Loose, ttls: BlockTtls, carriage: Carriage): Loose {
  const pieces = messagePieces(message, carriage)
  let marked = message
  let parts: unknown[] | undefined
  for (const [block, ttl] of ttls) {
    const piece = pieces[block]
    const place = piece?.place ?? piece?.systemAnd3
    if (place === undefined) continue
    const marker = carriage.marker(ttl)
    if (place.on === 'message') {
      marked = { ...marked, [carriage.field]: marker }
      continue
    }
    parts ??= toParts(message.content)
    const part = parts[place.index]
    if (isObject(part)) parts[place.index] = extendPart(part, carriage.field, marker)
  }
  return parts === undefined ? marked : { ...marked, content: parts }
}

/** A tool, marked or not, as a block. */
function readTool(tool: object, tokens: TokenCounter, carriage: Carriage): ReadBlock {
  const bare = stripTool(tool)
  return {
    kind: isObject(bare) ? 'tool' : 'other',
    role: 'system',
    content: wireText(bare),
    tokens: isObject(bare) ? tokens.countTools([bare as unknown as ToolSchema]) : 0,
    carries: carriage.onTools && isObject(bare),
  }
}

/** The blocks of a system prompt, marked or not; its first `staticSystem` characters end with one. */
function readSystem(
  system: object,
  tokens: TokenCounter,
  carriage: Carriage,
  staticSystem: number | undefined,
): readonly ReadBlock[] {
  const bare = stripMessage(system)
  const total = tokens.countMessage(bare as Message)
  return readPieces(splitSystem(bare, staticSystem), total, carriage).map((block) =>
    block.kind === 'text' ? { ...block, kind: 'system' } : block,
  )
}

/** The blocks of a message, marked or not. Their tokens sum to those of the message. */
function readMessage(message: object, tokens: TokenCounter, carriage: Carriage): readonly ReadBlock[] {
  const bare = stripMessage(message)
  if (!isObject(bare)) return []
  const counted = bare as unknown as Message
  const blocks = readPieces(bare, tokens.countMessage(counted), carriage)
  if (!isSummary(counted)) return blocks
  // Parts behind the last one that says where its summary ends are an engine's lists, made anew with each compaction.
  const marked = blocks.findLastIndex(({ content }) => content.includes('</summary>'))
  const last = marked === -1 ? blocks.length - 1 : marked
  return blocks.map((block, index) => (index > last ? block : { ...block, isSummary: true }))
}

/**
 * A bare system prompt with its static beginning as a part of its own; itself where there is nothing to split. To be
 * done whether the beginning is marked or not: blocks must not change when a marker goes.
 */
function splitSystem(system: object, staticSystem: number | undefined): Loose {
  const { content } = system as Loose
  const split = splitContent(content, staticSystem ?? 0)
  return split === content ? (system as Loose) : { ...system, content: split }
}

function readPieces(message: Loose, tokens: number, carriage: Carriage): ReadBlock[] {
  const role = roleOf(message.role)
  const pieces = messagePieces(message, carriage)
  const shares = shareTokens(
    tokens,
    pieces.map(({ weight }) => weight),
  )
  const isHermes = carriage.field === 'cache_control'
  return pieces.map(({ kind, content, place, systemAnd3 }, index) => ({
    kind,
    role,
    content,
    tokens: shares[index] ?? 0,
    carries: place !== null,
    ...(isHermes && { systemAnd3: systemAnd3 !== undefined }),
  }))
}

function roleOf(role: unknown): BlockRole {
  if (role === 'system' || role === 'developer') return 'system'
  if (role === 'tool' || role === 'function') return 'tool'
  return role === 'assistant' ? 'assistant' : 'user'
}

/**
 * Shares a count of tokens out in proportion to weights, which are above zero. The shares are whole numbers and sum to
 * the count exactly: what is rounded is where each share ends, so no error adds up.
 */
export function shareTokens(tokens: number, weights: readonly number[]): number[] {
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
