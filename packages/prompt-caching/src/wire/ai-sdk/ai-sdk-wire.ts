import { isObject, looseOf, type TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../layout/request-layout.ts'
import type { CacheSettings, CacheWire } from '../cache-wire.ts'
import { anchorsByPlace, changeAt, fitAnchors } from '../fit-anchors.ts'
import { listOf, mapShared } from '../lists.ts'
import { wireText } from '../wire-text.ts'
import type { AiSdkProvider } from './ai-sdk-provider.ts'
import type { AiSdkMessage, AiSdkRequest, AiSdkTool } from './ai-sdk-request.ts'
import { markInstructions, readInstructions, stripInstructions, systemMessages } from './instructions.ts'
import { optionsOf, withoutMarker, withoutPartMarkers } from './markers.ts'
import { markBlocks, readBlocks } from './sent-blocks.ts'

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
      const marked = changeAt(withSystem.messages, messages, (message, ttls) =>
        markBlocks(message, ttls, provider),
      )
      // A marked value keeps its type.
      return (messages.size === 0 ? withSystem : { ...withSystem, messages: marked }) as typeof request
    },
    strip: stripRequest,
  }
  return wire
}

/** The settings that decide about the cache beside the prompt, by their names in the three packages. */
function settingsOf(request: AiSdkRequest, provider: AiSdkProvider): CacheSettings {
  const { model, toolChoice } = request
  const { thinking, effort, speed, reasoning, reasoningConfig } = optionsOf(request, provider)
  const name = typeof model === 'string' ? model : looseOf(model).modelId
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
  const { content } = looseOf(message)
  if (!Array.isArray(content)) return bare
  const parts = mapShared(content, withoutPartMarkers)
  return parts === content ? bare : { ...bare, content: parts }
}

interface SentTool {
  readonly name: string
  readonly tool: AiSdkTool
}

/** The tools that are sent, in the order in which the AI SDK sends them: those of `toolOrder`, then by name. */
function sentTools({ tools, activeTools, toolOrder }: AiSdkRequest): SentTool[] {
  const active = activeTools && new Set(activeTools)
  const sent = Object.entries(tools ?? {})
    .filter(([name, tool]) => isObject(tool) && (active?.has(name) ?? true))
    .map(([name, tool]) => ({ name, tool }))
  if (!toolOrder) return sent
  const placeOf = (name: string) => (toolOrder.includes(name) ? toolOrder.indexOf(name) : toolOrder.length)
  return sent.sort((a, b) => placeOf(a.name) - placeOf(b.name) || (a.name < b.name ? -1 : 1))
}

/**
 * A tool as a block. It never carries: the tools that `prepareStep` returns are ignored, and two of the three packages
 * leave the marker of a tool out. What marks the system prompt covers the tools before it.
 */
function readSentTool({ name, tool }: SentTool, tokens: TokenCounter): ReadBlock {
  const { description, inputSchema, strict, inputExamples, type, id, args, providerOptions } = looseOf(
    withoutMarker(tool),
  )
  const schema = schemaText(inputSchema)
  const about = typeof description === 'string' ? description : ''
  const called = { name, description: about, parameters: { schema } }
  return {
    kind: 'tool',
    role: 'system',
    content: wireText([name, about, schema, type, id, args, strict, inputExamples, providerOptions]),
    tokens: tokens.countTools([{ type: 'function', function: called }]),
    carries: false,
  }
}

/** Turning a schema of zod into JSON Schema takes longer than all the rest, and schemas do not change. */
const schemas = new WeakMap<object, string>()

/** The schema as JSON Schema; nothing for one that cannot be had without waiting, or by a library's own ways. */
function schemaText(schema: unknown): string {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return ''
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const text = wireText(jsonSchemaOf(schema))
  schemas.set(schema, text)
  return text
}

interface AnySchema {
  readonly jsonSchema?: unknown
  readonly '~standard'?: { readonly jsonSchema?: { input(options: { target: string }): unknown } }
}

function jsonSchemaOf(schema: object): unknown {
  try {
    const any: AnySchema =
      typeof schema === 'function' && !('~standard' in schema) ? schema.call(null) : schema
    return any.jsonSchema ?? any['~standard']?.jsonSchema?.input({ target: 'draft-07' })
  } catch {
    return ''
  }
}
