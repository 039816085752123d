import type { Part } from '@google/genai'
import { isObject } from '@palimpsest/core'
import { type AnyContentPart, mediaPart } from './media-part.ts'
import { geminiData, signatureOf } from './provider-data.ts'

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
