import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { langChainData, withLangChainData } from './langchain-data.ts'

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'video', 'file', 'document', 'media'])
const PAYLOADS = [['data'], ['url'], ['fileUri'], ['source', 'data'], ['source', 'url']] as const
const CALLS: Readonly<Record<string, string>> = { tool_use: 'input', tool_call: 'args' }

/**
 * Converts a content block. Media are counted as media, and reasoning can be found for removal. A block that repeats a
 * call loses the arguments, which are in `tool_calls`. Other blocks stay unchanged.
 *
 * @param callIds The message's calls.
 */
export function fromBlock(block: unknown, callIds: ReadonlySet<unknown>): unknown {
  if (!isObject(block)) return block
  const args = CALLS[String(block.type)]
  if (args !== undefined && callIds.has(block.id)) {
    const { [args]: _, ...rest } = block
    return rest
  }
  // Amazon Bedrock's name.
  if (block.type === 'reasoning_content') return { type: 'reasoning', ...withLangChainData({ block }) }
  return (MEDIA.has(block.type) && fromMedia(block)) || block
}

export function toBlock(part: unknown, args: ReadonlyMap<unknown, unknown>): unknown {
  if (!isObject(part)) return part
  const key = CALLS[String(part.type)]
  if (key !== undefined)
    return args.has(part.id) && !(key in part) ? { ...part, [key]: args.get(part.id) } : part
  const { block, at, isBase64 } = langChainData(part)
  if (!isObject(block)) return part
  if (!Array.isArray(at)) return block
  const held = looseOf(part.image_url).url ?? looseOf(part.file).file_data
  const payload = isBase64 === true && typeof held === 'string' ? held.slice(held.indexOf(',') + 1) : held
  return withMember(block, at, payload)
}

function fromMedia(block: Loose): Loose | undefined {
  const path = PAYLOADS.find(([first, second]) => {
    const member = block[first]
    return isPayload(second === undefined ? member : looseOf(member)[second])
  })
  if (path === undefined) return undefined
  const [first, second] = path
  const source = looseOf(block.source)
  const payload = second === undefined ? block[first] : source[second]
  const isBase64 = (second ?? first) === 'data' && !String(payload).startsWith('data:')
  const type = String(block.mimeType ?? block.mime_type ?? source.media_type ?? '')
  const isImage = block.type === 'image' || type.startsWith('image/')
  const text = typeof payload === 'string' ? payload : Buffer.from(payload as Uint8Array).toString('base64')
  const url = isBase64
    ? `data:${type || (isImage ? 'image/png' : 'application/octet-stream')};base64,${text}`
    : text
  const data = { block: withMember(block, path, undefined), at: [...path], ...(isBase64 && { isBase64 }) }
  return isImage
    ? { type: 'image_url', image_url: { url }, ...withLangChainData(data) }
    : { type: 'file', file: { file_data: url }, ...withLangChainData(data) }
}

function isPayload(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || value instanceof Uint8Array
}

function withMember(block: Loose, [first, second]: readonly string[], value: unknown): Loose {
  if (first === undefined) return block
  if (second !== undefined) return { ...block, [first]: withMember(looseOf(block[first]), [second], value) }
  const { [first]: _, ...rest } = block
  return value === undefined ? rest : { ...rest, [first]: value }
}
