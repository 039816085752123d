import { type ContentPart, isObject, type Loose, type ToolCall } from '@palimpsest/core'
import { textPart } from './build-message.ts'
import { stringOf } from './json.ts'

/**
 * Recorded content as parts. A string is one text, a null is nothing, and what is neither text nor a block is
 * kept as its JSON text. Blocks go through `convert`; where it returns undefined, the block is kept as it is.
 */
export function recordedParts(
  recorded: unknown,
  convert: (block: Loose) => ContentPart | undefined = () => undefined,
): ContentPart[] {
  if (recorded === undefined || recorded === null || recorded === '') return []
  const blocks: readonly unknown[] = Array.isArray(recorded) ? recorded : [recorded]
  return blocks
    .filter((block) => block !== undefined && block !== null)
    .map((block) => {
      if (!isObject(block)) return textPart(stringOf(block) ?? JSON.stringify(block))
      return convert(block) ?? knownOrOpaque(block)
    })
}

/** Texts are checked, because everything downstream reads them; blocks of other kinds are opaque. */
function knownOrOpaque(block: Loose): ContentPart {
  if (block.type === 'text') {
    return (typeof block.text === 'string'
      ? block
      : { ...block, text: JSON.stringify(block.text) ?? '' }) as unknown as ContentPart
  }
  return (typeof block.type === 'string' ? block : textPart(JSON.stringify(block))) as ContentPart
}

/** An image of base64 data as a data URL. */
export function imagePart(mediaType: string, data: string): ContentPart {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } }
}

/** The blocks of one answer, sorted. */
export interface AnswerBlocks {
  readonly parts: ContentPart[]
  readonly calls: ToolCall[]
  readonly reasoning: Loose[]
}
