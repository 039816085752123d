import type { CacheAnchor, CacheTtl } from '@palimpsest/core'
import type { CacheSettings, WireFormat } from '../wire-format.ts'
import { type AiSdkProvider, markerOf, toolCarries } from './ai-sdk-provider.ts'
import { type AiSdkMessage, type AiSdkRequest, type AiSdkTool, fieldsOf } from './ai-sdk-request.ts'
import { markInstructions, readInstructions, systemMessages } from './instructions.ts'
import { optionsOf, withMarker } from './markers.ts'
import { markBlocks, readBlocks } from './sent-blocks.ts'
import { readSentTool, type SentTool, sentTools } from './sent-tools.ts'
import { stripRequest } from './strip-request.ts'

/**
 * Requests of the AI SDK 7, with markers in the `providerOptions` of parts, tools and system messages.
 *
 * A message is marked as a whole only when its content is a text: a marker on a message with several parts becomes one
 * on each of them in OpenRouter's package. Instructions that are a text come back as system messages when they are
 * marked: a `Request` of your own declares them as the SDK's `Instructions`. Refs of messages are indices of
 * `request.messages`, refs of tools count what is sent after `activeTools` and `toolOrder`.
 *
 * Messages that `prepareStep` returns are carried into the next step, markers and all: `apply` takes out what it finds,
 * the caller's markers too, also those of outputs of tools and of the call itself (automatic caching).
 *
 * @param provider Whose options carry the markers. Default `anthropic`.
 */
export function aiSdkWire<Request extends AiSdkRequest = AiSdkRequest>(
  provider: AiSdkProvider = 'anthropic',
): WireFormat<Request> {
  return {
    name: `ai-sdk-${provider}`,
    parts(request) {
      const system = systemMessages(request)
      return {
        tools: sentTools(request),
        system: system.length === 0 ? null : system,
        messages: request.messages,
        firstMessage: 0,
        settings: settingsOf(request, provider),
      }
    },
    readTool: (tool, tokens) => readSentTool(tool as SentTool, tokens, provider),
    readSystem: (system, tokens, staticSystem) =>
      readInstructions(system as ReturnType<typeof systemMessages>, tokens, staticSystem, provider),
    readMessage: (message, tokens) => readBlocks(message as AiSdkMessage, tokens, provider),
    apply(request, anchors, staticSystem) {
      const clean: AiSdkRequest = stripRequest(request)
      const { tools, system, messages } = byPlace(anchors)
      const withSystem = system.size === 0 ? clean : markInstructions(clean, system, staticSystem, provider)
      const withTools = tools.size === 0 ? withSystem : markTools(withSystem, tools, provider)
      // What was marked has the type that it had.
      return (messages.size === 0 ? withTools : markMessages(withTools, messages, provider)) as Request
    },
    strip: (request) => stripRequest(request) as Request,
  }
}

function markTools(
  request: AiSdkRequest,
  ttls: ReadonlyMap<number, CacheTtl>,
  provider: AiSdkProvider,
): AiSdkRequest {
  const marked = sentTools(request).flatMap(({ name, tool }, index): [string, AiSdkTool][] => {
    const ttl = ttls.get(index)
    if (ttl === undefined || !toolCarries(tool, provider)) return []
    return [[name, withMarker(tool, provider, markerOf(provider, ttl))]]
  })
  return marked.length === 0
    ? request
    : { ...request, tools: { ...request.tools, ...Object.fromEntries(marked) } }
}

function markMessages(
  request: AiSdkRequest,
  places: Places['messages'],
  provider: AiSdkProvider,
): AiSdkRequest {
  const messages = [...request.messages]
  for (const [index, ttls] of places) {
    const message = messages[index]
    if (message !== undefined) messages[index] = markBlocks(message, ttls, provider)
  }
  return messages.every((message, at) => message === request.messages[at])
    ? request
    : { ...request, messages }
}

interface Places {
  readonly tools: Map<number, CacheTtl>
  readonly system: Map<number, CacheTtl>
  readonly messages: Map<number, Map<number, CacheTtl>>
}

function byPlace(anchors: readonly CacheAnchor[]): Places {
  const places: Places = { tools: new Map(), system: new Map(), messages: new Map() }
  for (const { ref, ttl } of anchors) {
    if (ref.at === 'tool') places.tools.set(ref.index, ttl)
    else if (ref.at === 'system') places.system.set(ref.block, ttl)
    else {
      const blocks = places.messages.get(ref.index) ?? new Map<number, CacheTtl>()
      places.messages.set(ref.index, blocks.set(ref.block, ttl))
    }
  }
  return places
}

/** What decides about the cache beside the prompt itself, by the names that the three packages have for it. */
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
