/**
 * Where a text is cut so that its first `characters` are a block of their own; undefined when it stays one block.
 * A cut never splits a surrogate pair, and neither side is blank, because providers refuse blank blocks.
 */
export function staticCut(text: string, characters: number): number | undefined {
  if (!(characters > 0 && characters < text.length)) return undefined
  const whole = Math.floor(characters)
  const cut = isPair(text, whole) ? whole - 1 : whole
  return hasText(text.slice(0, cut)) && hasText(text.slice(cut)) ? cut : undefined
}

/** True for a text with something to read: a marker on any other is refused. */
export function hasText(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}

function isPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1)
  const behind = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff
}
