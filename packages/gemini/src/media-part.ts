import type { Part } from '@google/genai'
import { isObject } from '@palimpsest/core'

/** A content part as it may come in. */
export type AnyContentPart = { readonly type?: unknown } & Readonly<Record<string, unknown>>

/** MIME types by file name ending, for addresses that do not carry their type. */
const mimeTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  mp4: 'video/mp4',
}

/** An image, audio or file part in Gemini's words: bytes as `inlineData`, addresses as `fileData`. */
export function mediaPart(part: AnyContentPart): Part | undefined {
  const body = part[String(part.type)]
  if (!isObject(body)) return undefined
  switch (part.type) {
    case 'image_url':
      return fromUrl(body.url, 'image/jpeg')
    case 'input_audio':
      return typeof body.data === 'string'
        ? { inlineData: { mimeType: `audio/${body.format ?? 'wav'}`, data: body.data } }
        : undefined
    case 'file': {
      const mimeType = mimeTypeOf(String(body.filename ?? '')) ?? 'application/pdf'
      const fromData = fromUrl(body.file_data, mimeType) ?? fromUrl(body.file_id, mimeType)
      if (fromData !== undefined || typeof body.file_data !== 'string') return fromData
      return { inlineData: { mimeType, data: body.file_data } }
    }
    default:
      return undefined
  }
}

function fromUrl(url: unknown, fallbackType: string): Part | undefined {
  if (typeof url !== 'string') return undefined
  if (url.startsWith('data:')) return fromDataUrl(url)
  if (!/^(https?|gs):\/\//i.test(url)) return undefined
  return { fileData: { fileUri: url, mimeType: mimeTypeOf(url) ?? fallbackType } }
}

function fromDataUrl(url: string): Part | undefined {
  const comma = url.indexOf(',')
  if (comma < 0) return undefined
  const [mimeType, ...parameters] = url.slice('data:'.length, comma).split(';')
  const data = url.slice(comma + 1)
  const encoded = parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')
  return { inlineData: { mimeType: mimeType || 'text/plain', data: encoded ? data : encodePercent(data) } }
}

/** Percent-encoded data as base64; data that is not really percent-encoded is taken as it stands. */
function encodePercent(data: string): string {
  let text = data
  try {
    text = decodeURIComponent(data)
  } catch {}
  return Buffer.from(text).toString('base64')
}

function mimeTypeOf(name: string): string | undefined {
  const ending = /\.([a-z0-9]+)(?:[?#].*)?$/is.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(mimeTypes, ending) ? mimeTypes[ending] : undefined
}
