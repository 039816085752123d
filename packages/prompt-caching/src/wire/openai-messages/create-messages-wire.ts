import { isInstruction, type Message } from '@palimpsest/core'
import { mapShared } from '../map-shared.ts'
import type { CacheSettings, WireFormat } from '../wire-format.ts'
import type { Carriage } from './carriage.ts'
import { markLists } from './mark-request.ts'
import { withoutMarkers } from './marker-fields.ts'
import { readMessage, readSystem, readTool } from './read-blocks.ts'
import { stripMessage, stripTool } from './strip-message.ts'

/** What requests with messages of OpenAI's shape have in common. */
interface AnyRequest {
  /** The system prompt first, if there is one. */
  readonly messages: readonly object[]
  readonly tools?: readonly object[] | undefined
}

export interface MessagesWireOptions<Request> {
  readonly carriage: Carriage
  /** What else decides whether a prompt is the same. */
  readonly settings: (request: Request) => CacheSettings
  /** Completes a request that got markers. */
  readonly onMarked?: (request: Request) => Request
  /** Undoes `onMarked`. */
  readonly onStripped?: (request: Request) => Request
}

/** The wire format of requests with messages of OpenAI's shape, for a route that takes markers as `carriage` says. */
export function createMessagesWire<Request extends AnyRequest>(
  options: MessagesWireOptions<Request>,
): WireFormat<Request> {
  const { carriage, settings, onMarked = same, onStripped = same } = options

  const strip = (request: Request): Request => {
    const bare = onStripped(withoutMarkers(request))
    const messages = mapShared(bare.messages, stripMessage)
    const tools = bare.tools && mapShared(bare.tools, stripTool)
    if (messages === bare.messages && tools === bare.tools) return bare
    return { ...bare, messages, ...(tools !== bare.tools && { tools }) }
  }

  return {
    name: carriage.name,

    parts(request) {
      const { messages, tools = [] } = request
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
      const { messages, tools } = bare
      const hasSystem = systemOf(messages) !== null
      const marked = markLists({ messages, tools, hasSystem, staticSystem }, anchors, carriage)
      return marked === null ? bare : onMarked({ ...bare, ...marked })
    },

    strip,
  }
}

function same<T>(request: T): T {
  return request
}

function systemOf(messages: readonly object[]): object | null {
  const [first] = messages
  return first !== undefined && isInstruction(first as Message) ? first : null
}
