import type { Part } from '@google/genai'
import { isObject } from '@palimpsest/core'
import { geminiData, signatureOf } from './provider-data.ts'

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

/**
 * One content part in Gemini's words, with its thought signature. Undefined for an empty text without one, which
 * Gemini refuses. What Gemini cannot take becomes a text that says so, because the model should know.
 */
export function contentToPart(part: AnyContentPart): Part | undefined {
  const data = geminiData(part)
  const signature = signatureOf(data)
  const text = part.type === 'refusal' ? part.refusal : part.text
  if ((part.type === 'text' || part.type === 'refusal') && typeof text === 'string')
    return text === '' && signature.thoughtSignature === undefined ? undefined : { text, ...signature }
  if (part.type === 'gemini' && isObject(data.part)) return data.part as Part
  const media = mediaPart(part)
  if (media !== undefined) return { ...media, ...signature }
  return {
    text: `[content of the type ${JSON.stringify(part.type ?? null)} cannot be shown here]`,
    ...signature,
  }
}
