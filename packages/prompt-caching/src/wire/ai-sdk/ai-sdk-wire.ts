import { type CacheTtl, isObject, isSummary, type Loose, looseOf, type TokenCounter } from '@palimpsest/core'
import type { BlockKind, ReadBlock } from '../../layout/request-layout.ts'
import { anchorsByPlace, type BlockTtls, type CacheWire, cacheControl, changeAt } from '../cache-wire.ts'
import { hasText, listOf, mapShared, without } from '../content.ts'
import { base64Of, mediaTokens, wireText } from '../wire-text.ts'
import type {
  AiSdkHolder,
  AiSdkInstructions,
  AiSdkMessage,
  AiSdkRequest,
  AiSdkSystemMessage,
} from './ai-sdk-request.ts'

/**
 * Requests of the AI SDK 7, with markers as `providerOptions.anthropic.cacheControl` on parts and system messages: what
 * is passed to `generateText`, or what `prepareStep` returns. `@ai-sdk/anthropic` and `@openrouter/ai-sdk-provider` read
 * them there. What carries is what both send: texts and files of the user, results of tools, system messages.
 *
 * Tools are read, counted and hashed, and never marked: the SDK ignores tools that `prepareStep` returns. The marker of
 * the system prompt covers them. Refs of messages are indices of `request.messages`.
 *
 * A request keeps its type, and `instructions` that are a text are a system message when they are marked: pass them on,
 * do not read them as a text. Messages that `prepareStep` returns are carried into the next step, markers and all:
 * `apply` takes out what it finds, the caller's markers too.
 */
export function aiSdkWire<Request extends AiSdkRequest = AiSdkRequest>(): CacheWire<Request> {
  return {
    parts(request) {
      const system = systemMessages(request)
      return {
        tools: sentTools(request),
        system: system.length === 0 ? null : system,
        messages: listOf(request.messages),
        firstMessage: 0,
      }
    },
    readTool: (tool, tokens) => readTool(tool as SentTool, tokens),
    readSystem: (system, tokens) =>
      (system as readonly AiSdkSystemMessage[]).map((message) =>
        readText(message.content, message, 'system', tokens),
      ),
    readMessage: (message, tokens) => readMessage(message as AiSdkMessage, tokens),
    apply(request, anchors) {
      const { system, messages } = anchorsByPlace(anchors)
      const bare = stripRequest(request)
      const instructions = changeAt(systemMessages(bare), system, (message, ttl) =>
        textCarries(message.content, message, 'system') ? withMarker(message, ttl) : message,
      )
      const key = bare.instructions === undefined ? 'system' : 'instructions'
      const isList = instructions.length > 1 || Array.isArray(bare[key])
      // A marked value keeps its type.
      return {
        ...bare,
        ...(system.size > 0 && { [key]: isList ? instructions : instructions[0] }),
        messages: changeAt(listOf(bare.messages), messages, markMessage),
      } as typeof request
    },
  }
}

/** The system prompt as messages; empty without one. */
function systemMessages({ instructions, system }: AiSdkRequest): readonly AiSdkSystemMessage[] {
  const own = instructions ?? system ?? ''
  if (typeof own === 'string') return own === '' ? [] : [{ role: 'system', content: own }]
  return ('content' in own ? [own] : listOf(own)).filter(isObject)
}

interface SentTool {
  readonly name: string
  readonly tool: AiSdkHolder
}

/** The tools that are sent, in the order in which the AI SDK sends them. */
function sentTools({ tools, activeTools }: AiSdkRequest): SentTool[] {
  return Object.entries(tools ?? {})
    .filter(([name, tool]) => isObject(tool) && (activeTools?.includes(name) ?? true))
    .map(([name, tool]) => ({ name, tool }))
}

function readTool({ name, tool }: SentTool, tokens: TokenCounter): ReadBlock {
  const { description, inputSchema, type, id, args, providerOptions } = looseOf(withoutMarker(tool))
  const schema = schemaText(inputSchema)
  const about = typeof description === 'string' ? description : ''
  const called = { name, description: about, parameters: { schema } }
  return {
    kind: 'other',
    role: 'system',
    content: wireText([name, about, schema, type, id, args, providerOptions]),
    tokens: tokens.countTools([{ type: 'function', function: called }]),
    carries: false,
  }
}

/** Turning a schema of zod into JSON Schema takes longer than all the rest, and schemas do not change. */
const schemas = new WeakMap<object, string>()

/** The schema as JSON Schema; nothing for one that cannot be had without waiting, or by a library's own ways. */
function schemaText(schema: unknown): string {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return ''
  const text = schemas.get(schema) ?? wireText(jsonSchemaOf(schema))
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

/** The blocks of a message, in the order of its parts. */
function readMessage(message: AiSdkMessage, tokens: TokenCounter): ReadBlock[] {
  if (!isObject(message)) return []
  const { role, content } = message
  if (typeof content === 'string') return content === '' ? [] : [readText(content, message, role, tokens)]
  const { providerOptions } = withoutMarker({ providerOptions: message.providerOptions })
  return sentParts(message).map(({ part }, index) => {
    const block = readPart(part, role, tokens)
    // Options of the whole message are cached with its beginning.
    if (index > 0 || providerOptions === undefined) return block
    return { ...block, content: `${wireText(providerOptions)} ${block.content}` }
  })
}

/** The parts that reach the provider, with their indices: no empty texts, nothing about approvals. */
function sentParts({ content }: AiSdkMessage): { readonly part: Loose & AiSdkHolder; readonly at: number }[] {
  return (Array.isArray(content) ? content : []).flatMap((part: unknown, at) => {
    if (!isObject(part) || String(part.type).startsWith('tool-approval')) return []
    return part.type === 'text' && (typeof part.text !== 'string' || part.text === '') ? [] : [{ part, at }]
  })
}

/** The message with markers on those of these blocks that can carry one. */
function markMessage(message: AiSdkMessage, ttls: BlockTtls): AiSdkMessage {
  const { content, role } = looseOf(message) as Partial<AiSdkMessage>
  if (role === undefined || (!Array.isArray(content) && typeof content !== 'string')) return message
  if (typeof content === 'string') {
    const ttl = ttls.get(0)
    return ttl !== undefined && textCarries(content, message, role) ? withMarker(message, ttl) : message
  }
  const parts = [...content]
  for (const [block, { part, at }] of sentParts(message).entries()) {
    const ttl = ttls.get(block)
    if (ttl !== undefined && partCarries(part, role))
      parts[at] = withMarker(content[at] as AiSdkHolder, ttl) as never
  }
  return { ...message, content: parts }
}

/** Reads a text: `holder` is its part, or the message whose content is just a text. */
function readText(
  text: string,
  holder: AiSdkHolder,
  role: AiSdkMessage['role'],
  tokens: TokenCounter,
): ReadBlock {
  const { providerOptions } = withoutMarker({ providerOptions: holder.providerOptions })
  const isCompaction = looseOf(providerOptions?.anthropic).type === 'compaction'
  return {
    kind: 'other',
    role,
    content: wireText([role, text, providerOptions]),
    tokens: tokens.countText(text),
    carries: textCarries(text, holder, role),
    ...((isCompaction || (role === 'user' && isSummary({ role, content: text }))) && { isSummary: true }),
  }
}

const KINDS: ReadonlyMap<unknown, BlockKind> = new Map([
  ['tool-call', 'tool-use'],
  ['tool-result', 'tool-result'],
])

function readPart(part: Loose & AiSdkHolder, role: AiSdkMessage['role'], tokens: TokenCounter): ReadBlock {
  if (part.type === 'text') return readText(String(part.text), part, role, tokens)
  const bare = withoutMarker(part)
  // A tool that the provider itself ran is neither a call nor a result of the conversation.
  const isOwn = part.providerExecuted !== true && (part.type !== 'tool-result' || role === 'tool')
  return {
    kind: (isOwn && KINDS.get(part.type)) || 'other',
    role,
    content: wireText([role, bare]),
    tokens: partTokens(bare, tokens),
    carries: partCarries(part, role),
  }
}

function textCarries(text: string, holder: AiSdkHolder, role: AiSdkMessage['role']): boolean {
  return role !== 'assistant' && hasText(text) && hasRoom(holder)
}

function partCarries(part: Loose & AiSdkHolder, role: AiSdkMessage['role']): boolean {
  if (part.type === 'text') return textCarries(String(part.text), part, role)
  if (part.type === 'tool-result') return role === 'tool' && hasRoom(part)
  return (
    (part.type === 'file' || part.type === 'image') && role === 'user' && isEmbedded(part) && hasRoom(part)
  )
}

/** False for a file that is named by its address: OpenRouter's package sends no marker for some of them. */
function isEmbedded({ image, data = image }: Loose): boolean {
  if (typeof data === 'string') return !/^https?:/.test(data)
  return !(data instanceof URL) && looseOf(data).url === undefined
}

/** False where something that is no object stands in the place of the options: it would be lost. */
function hasRoom({ providerOptions = {} }: AiSdkHolder): boolean {
  return isObject(providerOptions) && isObject(providerOptions.anthropic ?? {})
}

function partTokens({ type, toolName, input, output, text, ...fields }: Loose, tokens: TokenCounter): number {
  if (type === 'reasoning') return tokens.countText(typeof text === 'string' ? text : '')
  if (type === 'file' || type === 'image') return fileTokens({ type, ...fields }, tokens)
  if (type === 'tool-call') return tokens.countText(`${toolName} ${wireText(input)}`)
  if (type !== 'tool-result') return tokens.countText(wireText({ text, ...fields }))
  const { type: kind, value, reason } = looseOf(output)
  if (kind !== 'content' || !Array.isArray(value))
    return tokens.countText(typeof value === 'string' ? value : wireText(value ?? reason))
  return value.map(looseOf).reduce((sum, item) => {
    const isText = item.type === 'text'
    return sum + (isText ? tokens.countText(String(item.text)) : fileTokens(item, tokens))
  }, 0)
}

function fileTokens({ type, mediaType, image, data = image }: Loose, tokens: TokenCounter): number {
  const inner = looseOf(data).data ?? looseOf(data).text ?? data
  // The data in the request itself; empty for an address.
  const base64 = base64Of(inner) ?? (typeof inner === 'string' ? inner : '')
  const isImage = String(type).startsWith('image') || String(mediaType).startsWith('image')
  return mediaTokens(isImage ? 'image' : 'document', base64, mediaType, tokens)
}

/** A copy with a marker. The holder has none yet, and room for one. */
function withMarker<T extends AiSdkHolder>(holder: T, ttl: CacheTtl): T {
  const anthropic = { ...holder.providerOptions?.anthropic, cacheControl: cacheControl(ttl) }
  return { ...holder, providerOptions: { ...holder.providerOptions, anthropic } }
}

/** Members that the provider packages take for a marker, under any provider's name. */
const MARKERS = ['cacheControl', 'cache_control', 'cachePoint'] as const

/** The holder without markers, those on what it holds included: itself when there are none. */
function withoutMarker<T>(holder: T): T {
  if (!isObject(holder)) return holder
  const { providerOptions, ...rest }: Loose = holder
  const options = bareOptions(providerOptions)
  const bare: Loose = options === undefined ? rest : { ...holder, providerOptions: options }
  const output = bareOutput(bare.output)
  if (options === providerOptions && output === bare.output) return holder
  return (output === bare.output ? bare : { ...bare, output }) as T
}

/** The output of a tool, which may be a list of parts. */
function bareOutput(output: unknown): unknown {
  if (!isObject(output)) return output
  const bare: Loose = withoutMarker(output)
  const value = Array.isArray(bare.value) ? mapShared(bare.value, withoutMarker) : bare.value
  return value === bare.value ? bare : { ...bare, value }
}

/** Options without markers, and without providers of which nothing is said; undefined when nothing is left. */
function bareOptions(options: unknown): unknown {
  if (!isObject(options)) return options
  const bare = Object.entries(options).flatMap(([provider, own]) => {
    const left = MARKERS.reduce<unknown>(without, own)
    return isObject(left) && Object.keys(left).length === 0 ? [] : [[provider, left] as const]
  })
  if (bare.length === 0) return undefined
  const isBare = bare.length === Object.keys(options).length
  return isBare && bare.every(([provider, left]) => left === options[provider])
    ? options
    : Object.fromEntries(bare)
}

/** The request without markers, wherever the SDK or a provider package would find one. */
function stripRequest<Own extends AiSdkRequest>(request: Own): Own {
  const { instructions, system, tools, messages } = request
  const bareTools = Object.entries(tools ?? {}).map(([name, tool]) => [name, withoutMarker(tool)] as const)
  const isBare = bareTools.every(([name, tool]) => tool === tools?.[name])
  return {
    ...withoutMarker(request),
    ...(instructions !== undefined && { instructions: bareInstructions(instructions) }),
    ...(system !== undefined && { system: bareInstructions(system) }),
    ...(!isBare && { tools: Object.fromEntries(bareTools) }),
    messages: mapShared(listOf(messages), (message) => {
      const bare = withoutMarker(message)
      const { content } = looseOf(bare)
      const parts = Array.isArray(content) ? mapShared(content, withoutMarker) : content
      return parts === content ? bare : ({ ...bare, content: parts } as AiSdkMessage)
    }),
  }
}

function bareInstructions(instructions: AiSdkInstructions): AiSdkInstructions {
  return Array.isArray(instructions) ? mapShared(instructions, withoutMarker) : withoutMarker(instructions)
}
