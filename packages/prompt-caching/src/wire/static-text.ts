import { sliceCharacters } from '@palimpsest/core'

/**
 * Where a text is cut so that its first `characters` are a block of their own; undefined when it stays one block.
 * A cut never splits a surrogate pair, and neither side is blank, because providers refuse blank blocks.
 */
export function staticCut(text: string, characters: number): number | undefined {
  if (!(characters > 0 && characters < text.length)) return undefined
  const cut = sliceCharacters(text, 0, Math.floor(characters)).length
  return hasText(text.slice(0, cut)) && hasText(text.slice(cut)) ? cut : undefined
}

/** True for a text with something to read: a marker on any other is refused. */
export function hasText(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}
