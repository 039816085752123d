import type { CacheTtl, TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../layout/request-layout.ts'
import { isFields } from '../fields.ts'
import { UNCOUNTED } from '../fit-anchors.ts'
import { wireText } from '../wire-text.ts'
import { type AiSdkProvider, markerOf } from './ai-sdk-provider.ts'
import type { AiSdkMessage, AiSdkPart } from './ai-sdk-request.ts'
import { withMarker, withoutMarker } from './markers.ts'
import { readPart, readText } from './read-part.ts'

/** The blocks of a message, in the order of its parts. */
export function readBlocks(
  message: AiSdkMessage,
  tokens: TokenCounter,
  provider: AiSdkProvider,
): ReadBlock[] {
  if (!isFields(message)) return []
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
    if (!isFields(part)) return false
    if (part.type === 'text') return typeof part.text === 'string' && part.text !== ''
    return part.type !== 'tool-approval-request' && part.type !== 'tool-approval-response'
  })
}
