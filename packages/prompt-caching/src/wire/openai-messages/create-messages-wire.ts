import { type CacheAnchor, isInstruction, type Message } from '@palimpsest/core'
import { anchorsByPlace, type BlockTtls } from '../anchors-by-place.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { type Fields, isFields, listOf, mapShared } from '../fields.ts'
import { fitAnchors } from '../fit-anchors.ts'
import { extendPart, toParts } from '../wrapped-content.ts'
import { type Carriage, messagePieces } from './message-pieces.ts'
import { readMessage, readSystem, readTool, splitSystem } from './read-blocks.ts'
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
  return isFields(first) && isInstruction(first as unknown as Message) ? first : null
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
  const marked = messages.slice()
  const mark = (index: number, message: object | undefined, ttls: BlockTtls) => {
    if (isFields(message)) marked[index] = markMessage(message, ttls, carriage)
  }
  const [system] = messages
  if (hasSystem && system !== undefined) mark(0, splitSystem(system, staticSystem), wanted.system)
  for (const [index, ttls] of wanted.messages) mark(index, messages[index], ttls)
  const markedTools = tools.map((tool, index) => {
    const ttl = wanted.tools.get(index)
    return ttl === undefined ? tool : { ...tool, [carriage.field]: carriage.marker(ttl) }
  })
  return { messages: marked, ...(wanted.tools.size > 0 && { tools: markedTools }) }
}

/**
 * A copy of a message without markers that has them on these blocks, of which each carries one or is where
 * `system_and_3` sets one; the message itself when there are none. A text becomes a list of one part, with the same bytes
 * in it.
 */
function markMessage(message: Fields, ttls: BlockTtls, carriage: Carriage): Fields {
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
    if (isFields(part)) parts[place.index] = extendPart(part, carriage.field, marker)
  }
  return parts === undefined ? marked : { ...marked, content: parts }
}
