import { type AnchorPlaces, anchorsByPlace } from '../anchors-by-place.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { listOf, mapShared } from '../fields.ts'
import { fitAnchors } from '../fit-anchors.ts'
import type { AiSdkProvider } from './ai-sdk-provider.ts'
import { type AiSdkMessage, type AiSdkRequest, fieldsOf } from './ai-sdk-request.ts'
import { markInstructions, readInstructions, stripInstructions, systemMessages } from './instructions.ts'
import { optionsOf, withoutMarker, withoutPartMarkers } from './markers.ts'
import { markBlocks, readBlocks } from './sent-blocks.ts'
import { readSentTool, type SentTool, sentTools } from './sent-tools.ts'

/**
 * Requests of the AI SDK 7, with markers in the `providerOptions` of parts and system messages: what is passed to
 * `generateText`, or what `prepareStep` returns.
 *
 * Tools are read, counted and hashed, and never marked: the SDK ignores tools that `prepareStep` returns. The marker of
 * the system prompt covers them.
 *
 * A request keeps its type, and `instructions` that are a text are a system message, or several, when they are marked:
 * pass them on, do not read them as a text. What `prepareStep` is told of instructions may be undefined, which
 * `exactOptionalPropertyTypes` does not let it return: `...(instructions !== undefined && { instructions })`.
 *
 * A message is marked as a whole only when its content is a text: a marker on a message with several parts becomes one
 * on each of them in OpenRouter's package. Refs of messages are indices of `request.messages`, refs of tools count what
 * is sent after `activeTools` and `toolOrder`.
 *
 * Messages that `prepareStep` returns are carried into the next step, markers and all: `apply` takes out what it finds,
 * the caller's markers too, also those of tools, of outputs of tools and of the call itself (automatic caching).
 *
 * @param provider Whose options carry the markers. Default `anthropic`.
 */
export function aiSdkWire<Request extends AiSdkRequest = AiSdkRequest>(
  provider: AiSdkProvider = 'anthropic',
): CacheWire<Request> {
  const wire: CacheWire<Request> = {
    name: `ai-sdk-${provider}`,
    parts(request) {
      const system = systemMessages(request)
      return {
        tools: sentTools(request),
        system: system.length === 0 ? null : system,
        messages: listOf(request.messages),
        firstMessage: 0,
        settings: settingsOf(request, provider),
      }
    },
    readTool: (tool, tokens) => readSentTool(tool as SentTool, tokens),
    readSystem: (system, tokens, staticSystem) =>
      readInstructions(system as ReturnType<typeof systemMessages>, tokens, staticSystem, provider),
    readMessage: (message, tokens) => readBlocks(message as AiSdkMessage, tokens, provider),
    apply(request, anchors, staticSystem) {
      const clean = stripRequest(request)
      const { system, messages } = anchorsByPlace(fitAnchors(wire, clean, anchors, staticSystem))
      const withSystem = system.size === 0 ? clean : markInstructions(clean, system, staticSystem, provider)
      // A marked value keeps its type.
      return (
        messages.size === 0 ? withSystem : markMessages(withSystem, messages, provider)
      ) as typeof request
    },
    strip: stripRequest,
  }
  return wire
}

function markMessages(
  request: AiSdkRequest,
  places: AnchorPlaces['messages'],
  provider: AiSdkProvider,
): AiSdkRequest {
  const messages = [...request.messages]
  for (const [index, ttls] of places) {
    const message = messages[index]
    if (message !== undefined) messages[index] = markBlocks(message, ttls, provider)
  }
  return { ...request, messages }
}

/** The settings that decide about the cache beside the prompt, by their names in the three packages. */
function settingsOf(request: AiSdkRequest, provider: AiSdkProvider): CacheSettings {
  const { model, toolChoice } = request
  const { thinking, effort, speed, reasoning, reasoningConfig } = optionsOf(request, provider)
  const name = typeof model === 'string' ? model : fieldsOf(model).modelId
  return {
    ...(typeof name === 'string' && { model: name }),
    beforeSystem: { speed },
    beforeMessages: { toolChoice, thinking, reasoning, reasoningConfig },
    ...(effort !== undefined && { effort }),
  }
}

/** The request without markers, wherever the SDK or a provider package would find one; itself when there is none. */
function stripRequest<Own extends AiSdkRequest>(request: Own): Own {
  const { instructions, system, tools, messages } = request
  const changed: { -readonly [Key in keyof AiSdkRequest]?: AiSdkRequest[Key] } = {}
  if (instructions !== undefined) changed.instructions = stripInstructions(instructions)
  if (system !== undefined) changed.system = stripInstructions(system)
  if (Array.isArray(messages)) changed.messages = mapShared(listOf(messages), stripMessage)
  for (const [name, tool] of Object.entries(tools ?? {})) {
    const bare = withoutMarker(tool)
    if (bare !== tool) changed.tools = { ...(changed.tools ?? tools), [name]: bare }
  }
  const bare = withoutMarker(request)
  const isSame = Object.entries(changed).every(([key, value]) => value === request[key as keyof AiSdkRequest])
  return isSame ? bare : { ...bare, ...changed }
}

function stripMessage(message: AiSdkMessage): AiSdkMessage {
  const bare = withoutMarker(message)
  const { content } = fieldsOf(message)
  if (!Array.isArray(content)) return bare
  const parts = mapShared(content, withoutPartMarkers)
  return parts === content ? bare : { ...bare, content: parts }
}
