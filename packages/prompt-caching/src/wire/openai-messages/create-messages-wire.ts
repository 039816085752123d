import { isInstruction, type Message } from '@palimpsest/core'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { isFields, listOf, mapShared } from '../fields.ts'
import { fitAnchors } from '../fit-anchors.ts'
import { markLists } from './mark-request.ts'
import type { Carriage } from './message-pieces.ts'
import { readMessage, readSystem, readTool } from './read-blocks.ts'
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
