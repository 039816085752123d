import { Buffer } from 'node:buffer'
import { isObject, type Loose } from '@palimpsest/core'
import { hasText } from '../wrapped-content.ts'
import type { AnthropicBlock, AnthropicImage } from './anthropic-block.ts'
import { blockCarries } from './carries-marker.ts'
import { withoutMarkers } from './strip-markers.ts'

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/**
 * A part of our content as a block; null for what the API refuses or does not know: blank texts, parts of other
 * providers. Media that no Claude model takes become a text that says what stood there. Blocks that are Anthropic's
 * already go through as they are, without markers.
 */
export function toAnthropicBlock(part: unknown): AnthropicBlock | null {
  if (!isObject(part)) return null
  switch (part.type) {
    case 'text':
      return textBlock(part.text)
    case 'refusal':
      return textBlock(part.refusal)
    case 'image_url':
      return imageBlock(isObject(part.image_url) ? part.image_url.url : undefined)
    case 'file':
      return fileBlock(isObject(part.file) ? part.file : {})
    case 'input_audio':
      return leftOut('audio')
    default:
      return isOwnBlock(part) ? ownBlock(part) : null
  }
}

/** A text block; null for a blank text. Half of a surrogate pair, which the API refuses too, becomes U+FFFD. */
export function textBlock(text: unknown): AnthropicBlock | null {
  return typeof text === 'string' && hasText(text) ? { type: 'text', text: text.toWellFormed() } : null
}

function imageBlock(url: unknown): AnthropicBlock {
  if (typeof url !== 'string') return leftOut('image')
  const data = dataUrl(url)
  if (data === undefined) return /^https?:/i.test(url) ? image({ type: 'url', url }) : leftOut('image')
  if (!data.isBase64 || !IMAGE_TYPES.has(data.mediaType)) return leftOut(`image of type ${data.mediaType}`)
  const mediaType = data.mediaType as 'image/png'
  return image({ type: 'base64', media_type: mediaType, data: data.data })
}

function image(source: AnthropicImage['source']): AnthropicImage {
  return { type: 'image', source }
}

function fileBlock({ file_data: content, file_id: id, filename }: Loose): AnthropicBlock {
  const title = typeof filename === 'string' && filename !== '' ? { title: filename.toWellFormed() } : {}
  if (typeof id === 'string' && id !== '')
    return { type: 'document', source: { type: 'file', file_id: id }, ...title }
  if (typeof content !== 'string' || content === '') return leftOut('file')
  // Bare base64 is what OpenAI's clients send for a PDF.
  const { data, mediaType, isBase64 } = dataUrl(content) ?? {
    data: content,
    mediaType: 'application/pdf',
    isBase64: true,
  }
  if (isBase64 && mediaType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title }
  if (!isBase64 || !mediaType.startsWith('text/')) return leftOut(`file of type ${mediaType}`)
  const text = Buffer.from(data, 'base64').toString('utf8')
  if (!hasText(text)) return leftOut('file')
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title }
}

function leftOut(what: string): AnthropicBlock {
  return { type: 'text', text: `[${what.slice(0, 80)} left out: Claude models do not take it]` }
}

/** Kinds that carry breakpoints, thinking and compactions are Anthropic's. Calls and results stand elsewhere. */
function isOwnBlock(part: Loose): boolean {
  const { type } = part
  // Signed thinking arrives as UTF-8: a text that is not well formed was damaged since, and would not verify.
  if (type === 'thinking') return hasText(part.signature) && isWellFormed(part.thinking)
  if (type === 'redacted_thinking') return hasText(part.data)
  return type !== 'tool_use' && type !== 'tool_result' && blockCarries(part)
}

function isWellFormed(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed()
}

function ownBlock(part: Loose): AnthropicBlock {
  const { providerData: _, ...block } = withoutMarkers(part)
  return block as unknown as AnthropicBlock
}

interface DataUrl {
  /** Lower case, without parameters. */
  readonly mediaType: string
  readonly isBase64: boolean
  readonly data: string
}

/** The parts of a `data:` URL, however long; undefined for anything else. */
function dataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  if (comma === -1 || url.slice(0, 5).toLowerCase() !== 'data:') return undefined
  const [mediaType = '', ...parameters] = url.slice(5, comma).toLowerCase().split(';')
  return { mediaType, isBase64: parameters.at(-1) === 'base64', data: url.slice(comma + 1) }
}
