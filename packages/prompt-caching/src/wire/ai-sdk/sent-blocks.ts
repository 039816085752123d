import { type CacheTtl, isObject, isSummary, type Loose, looseOf, type TokenCounter } from '@palimpsest/core'
import type { BlockKind, ReadBlock } from '../../layout/request-layout.ts'
import { UNCOUNTED } from '../fit-anchors.ts'
import { base64Of, mediaTokens, wireText } from '../wire-text.ts'
import { type AiSdkProvider, markerOf, partCarries, textCarries } from './ai-sdk-provider.ts'
import type { AiSdkHolder, AiSdkMessage, AiSdkPart } from './ai-sdk-request.ts'
import { optionsOf, withMarker, withoutMarker, withoutPartMarkers } from './markers.ts'

/** The blocks of a message, in the order of its parts. */
export function readBlocks(
  message: AiSdkMessage,
  tokens: TokenCounter,
  provider: AiSdkProvider,
): ReadBlock[] {
  if (!isObject(message)) return []
  const { role, content } = message
  if (typeof content === 'string')
    return content === '' ? [] : [readText(content, role, message, tokens, provider)]
  const { providerOptions } = withoutMarker({ providerOptions: message.providerOptions })
  return sentParts(content).map((at, index) => {
    const block = readPart(content[at] as AiSdkPart, role, tokens, provider)
    // Options of the whole message are cached with its beginning.
    if (index > 0 || providerOptions === undefined) return block
    return { ...block, content: `${wireText(providerOptions)} ${block.content}` }
  })
}

/** The message with markers on these blocks; blocks that cannot carry one get none. */
export function markBlocks(
  message: AiSdkMessage,
  ttls: ReadonlyMap<number, CacheTtl>,
  provider: AiSdkProvider,
): AiSdkMessage {
  const marked = readBlocks(message, UNCOUNTED, provider).map(({ carries }, block) =>
    carries ? ttls.get(block) : undefined,
  )
  if (marked.every((ttl) => ttl === undefined)) return message
  const { content } = message
  if (typeof content === 'string') {
    const ttl = marked[0]
    return ttl === undefined ? message : withMarker(message, provider, markerOf(provider, ttl))
  }
  const parts = [...content]
  for (const [block, at] of sentParts(content).entries()) {
    const ttl = marked[block]
    if (ttl !== undefined) parts[at] = withMarker(content[at] as AiSdkPart, provider, markerOf(provider, ttl))
  }
  return { ...message, content: parts }
}

/** Indices of the parts that reach the provider: no empty texts, nothing about approvals. */
function sentParts(parts: readonly AiSdkPart[]): number[] {
  if (!Array.isArray(parts)) return []
  return Array.from(parts.keys()).filter((at) => {
    const part: unknown = parts[at]
    if (!isObject(part)) return false
    if (part.type === 'text') return typeof part.text === 'string' && part.text !== ''
    return part.type !== 'tool-approval-request' && part.type !== 'tool-approval-response'
  })
}

const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  image: 'image',
  reasoning: 'thinking',
  'reasoning-file': 'thinking',
  'tool-call': 'tool-use',
  'tool-result': 'tool-result',
}

/** Reads a text: `holder` is its part, or the message whose content is just a text. */
function readText(
  text: string,
  role: AiSdkMessage['role'],
  holder: AiSdkHolder,
  tokens: TokenCounter,
  provider: AiSdkProvider,
): ReadBlock {
  const isCompaction = optionsOf(holder, 'anthropic').type === 'compaction'
  const { providerOptions } = withoutMarker({ providerOptions: holder.providerOptions })
  return {
    kind: isCompaction ? 'compaction' : 'text',
    role,
    content: wireText([role, text, providerOptions]),
    tokens: tokens.countText(text),
    carries: textCarries(text, role, holder, provider),
    ...((isCompaction || (role === 'user' && isSummary({ role, content: text }))) && { isSummary: true }),
  }
}

function readPart(
  part: AiSdkPart,
  role: AiSdkMessage['role'],
  tokens: TokenCounter,
  provider: AiSdkProvider,
): ReadBlock {
  const fields = part as AiSdkPart & Loose
  if (typeof fields.text === 'string' && part.type === 'text')
    return readText(fields.text, role, part, tokens, provider)
  const kind = kindOf(fields, role)
  return {
    kind,
    role,
    content: wireText([role, withoutPartMarkers(part)]),
    tokens: partTokens(kind, fields, tokens),
    carries: partCarries(part, role, provider),
  }
}

function kindOf({ type, mediaType, providerExecuted }: Loose, role: AiSdkMessage['role']): BlockKind {
  // A tool that the provider itself ran is neither a call nor a result of the conversation.
  if (providerExecuted === true || (type === 'tool-result' && role !== 'tool')) return 'other'
  if (type === 'file') return /^image(\/|$)/.test(String(mediaType)) ? 'image' : 'document'
  return KINDS[String(type)] ?? 'other'
}

function partTokens(kind: BlockKind, fields: Loose, tokens: TokenCounter): number {
  const { text, toolName, input, output, image, data = image } = fields
  if (kind === 'thinking') return tokens.countText(typeof text === 'string' ? text : '')
  if (kind === 'image' || kind === 'document')
    return mediaTokens(kind, base64(data), fields.mediaType, tokens)
  if (kind === 'tool-use') return tokens.countText(`${toolName} ${wireText(input)}`)
  if (kind === 'tool-result') return outputTokens(output, tokens)
  return tokens.countText(wireText(fields))
}

function outputTokens(output: unknown, tokens: TokenCounter): number {
  const { type, value, reason } = looseOf(output)
  if (type !== 'content' || !Array.isArray(value))
    return tokens.countText(typeof value === 'string' ? value : wireText(value ?? reason))
  return value.reduce((sum: number, item: unknown) => {
    const { type: kind, text, data, mediaType } = looseOf(item)
    if (kind === 'text') return sum + tokens.countText(String(text))
    const isImage = String(kind).startsWith('image') || String(mediaType).startsWith('image')
    return sum + mediaTokens(isImage ? 'image' : 'document', base64(data), mediaType, tokens)
  }, 0)
}

/** The data in the request itself. Empty for an address. */
function base64(data: unknown): string {
  const inner = looseOf(data).data ?? looseOf(data).text ?? data
  return base64Of(inner) ?? (typeof inner === 'string' ? inner : '')
}
