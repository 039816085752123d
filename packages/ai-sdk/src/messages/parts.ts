import { isObject } from '@palimpsest/core'
import { aiSdkData, extrasOf, restoreExtras, withAiSdkData } from './ai-sdk-data.ts'
import { fromMedia, toMedia } from './media-part.ts'

/**
 * A content part of the AI SDK as one of the wire shape. What that has no word for stays as it is: custom parts,
 * approvals, and what the provider itself ran. Reasoning keeps its type, by which it is found when it has to go.
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

/** The reverse of `fromPart`. A refusal becomes text. */
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

/** A list of parts, or the text that stands in its place, part by part. */
export function mapContent(content: unknown, convert: (part: unknown) => unknown): unknown {
  return Array.isArray(content) ? content.map(convert) : content
}

/** True for a part that a model must see again exactly as it wrote it, or not at all. */
export function isReasoning(part: unknown): boolean {
  return isObject(part) && part.type === 'reasoning'
}
