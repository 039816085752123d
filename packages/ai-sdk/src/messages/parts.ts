import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { aiSdkData, extrasOf, restoreExtras, withAiSdkData } from './ai-sdk-data.ts'

/**
 * Converts a content part. Parts without a wire shape stay unchanged: custom parts, approvals, and results of the
 * provider's own tools. Reasoning keeps its type, by which it is found for removal.
 */
export function fromPart(part: unknown): unknown {
  if (!isObject(part)) return part
  if (part.type === 'text' && typeof part.text === 'string') {
    const { type, text, ...others } = part
    return { type, text, ...withAiSdkData({ ...extrasOf(others) }) }
  }
  if (part.type === 'reasoning-file')
    return {
      type: 'reasoning',
      text: '',
      ...withAiSdkData({ file: fromMedia({ ...part, type: 'file' }) ?? part }),
    }
  return fromMedia(part) ?? part
}

export function toPart(part: unknown): unknown {
  if (!isObject(part)) return part
  const media = toMedia(part)
  if (media !== undefined) return media
  if (part.type === 'refusal') return { type: 'text', text: String(part.refusal) }
  const { file } = aiSdkData(part)
  if (part.type === 'reasoning' && isObject(file))
    return { ...(toMedia(file) ?? file), type: 'reasoning-file' }
  if (part.type !== 'text') return part
  const { providerData: _, ...rest } = part
  return { ...rest, ...restoreExtras(aiSdkData(part)) }
}

export function mapContent(content: unknown, convert: (part: unknown) => unknown): unknown {
  return Array.isArray(content) ? content.map(convert) : content
}

export function isReasoning(part: unknown): boolean {
  return isObject(part) && part.type === 'reasoning'
}

const PAYLOADS: Readonly<Record<string, string>> = {
  image: 'image',
  file: 'data',
  'file-data': 'data',
  'image-data': 'data',
  'file-url': 'url',
  'image-url': 'url',
}

const AUDIO: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
}

/** An address, such as `https:` or `data:`. Base64 has no colon. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:/i

interface MediaData {
  readonly part: Loose
  readonly tag?: Loose
  /** `base64`: bytes, in a data URL that was made for them. `url`: a `URL` object. */
  readonly form?: 'base64' | 'url'
}

export function fromMedia(part: Loose): Loose | undefined {
  const key = PAYLOADS[String(part.type)]
  if (key === undefined) return undefined
  const { [key]: payload, providerOptions, ...rest } = part
  const { inner, tag } = untag(payload)
  const body = textOf(inner)
  if (body === undefined) return undefined
  const data = (form?: MediaData['form']) => {
    const media: MediaData = { part: rest, ...(tag && { tag }), ...(form && { form }) }
    return withAiSdkData({ providerOptions, media })
  }
  if (tag?.type === 'text') return { type: 'text', text: body, ...data() }
  const mediaType = String(rest.mediaType ?? '')
  const isImage = String(rest.type).startsWith('image') || /^image(\/|$)/.test(mediaType)
  if (ADDRESS.test(body))
    return { ...filePart(isImage, body, rest.filename), ...data(inner instanceof URL ? 'url' : undefined) }
  const format = AUDIO[mediaType]
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: body, format }, ...data() }
  const fullType = /^[^/*]+\/[^/*]+$/.test(mediaType)
    ? mediaType
    : isImage
      ? 'image/png'
      : 'application/octet-stream'
  return { ...filePart(isImage, `data:${fullType};base64,${body}`, rest.filename), ...data('base64') }
}

function filePart(isImage: boolean, url: string, filename: unknown): Loose {
  if (isImage) return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { file_data: url, ...(typeof filename === 'string' && { filename }) } }
}

function untag(payload: unknown): { readonly inner: unknown; readonly tag?: Loose } {
  if (!isObject(payload) || payload instanceof URL || isBytes(payload)) return { inner: payload }
  const { type } = payload
  if (type !== 'data' && type !== 'url' && type !== 'text') return { inner: undefined }
  const { [type]: inner, ...tag } = payload
  return { inner, tag }
}

function textOf(payload: unknown): string | undefined {
  if (typeof payload === 'string') return payload
  if (payload instanceof URL) return payload.href
  return isBytes(payload) ? base64Of(payload) : undefined
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
}

function base64Of(bytes: Uint8Array | ArrayBuffer): string {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('base64')
}

export function toMedia(part: Loose): Loose | undefined {
  const body = bodyOf(part)
  if (body === undefined) return undefined
  const { media, ...data } = aiSdkData(part)
  if (!isObject(media)) return part.type === 'text' ? undefined : foreignFile(part, body)
  const own = looseOf(media.part)
  const key = PAYLOADS[String(own.type)]
  if (key === undefined) return undefined
  const inner =
    media.form === 'base64' ? body.slice(body.indexOf(',') + 1) : media.form === 'url' ? toUrl(body) : body
  const tag = isObject(media.tag) ? media.tag : undefined
  return {
    ...own,
    [key]: tag === undefined ? inner : { ...tag, [String(tag.type)]: inner },
    ...restoreExtras(data),
  }
}

function bodyOf(part: Loose): string | undefined {
  const body = {
    text: part.text,
    image_url: looseOf(part.image_url).url,
    input_audio: looseOf(part.input_audio).data,
    file: looseOf(part.file).file_data,
  }[String(part.type)]
  return typeof body === 'string' ? body : undefined
}

function foreignFile(part: Loose, body: string): Loose {
  const [, named, base64] = /^data:([^;,]*)(?:;[^,]*)?,(.*)$/s.exec(body) ?? []
  const { format } = looseOf(part.input_audio)
  const guess =
    part.type === 'image_url' ? 'image' : part.type === 'file' ? 'application/pdf' : `audio/${String(format)}`
  const { filename } = looseOf(part.file)
  return {
    type: 'file',
    mediaType: named || guess,
    data: base64 ?? (ADDRESS.test(body) ? toUrl(body) : body),
    ...(typeof filename === 'string' && { filename }),
    ...restoreExtras({ providerOptions: aiSdkData(part).providerOptions }),
  }
}

function toUrl(text: string): URL | string {
  return URL.canParse(text) ? new URL(text) : text
}
