import { isObject, type Loose, sliceCharacters } from '@palimpsest/core'

/** Lists that stand for a text: stripping gives the text back. */
const wrapped = new WeakSet<readonly unknown[]>()
/** Text parts that continue the part before them. */
const continuations = new WeakSet<object>()

/** Content as a list of parts that may be written to. */
export function toParts(content: unknown): unknown[] {
  const parts = Array.isArray(content) ? [...content] : [{ type: 'text', text: content }]
  if (!Array.isArray(content) || wrapped.has(content)) wrapped.add(parts)
  return parts
}

/** Content as its parts: none of an empty text, nor of what is neither a text nor a list. */
export function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

/** A copy of a part with one member more. It continues what the part continued. */
export function extendPart(part: Loose, field: string, value: unknown): Loose {
  const copy = { ...part, [field]: value }
  if (continuations.has(part)) continuations.add(copy)
  return copy
}

/**
 * Content whose first `characters`, counted over the texts of its parts, end with a part; the same content where they
 * do already, or where one side would be blank.
 */
export function splitContent(content: unknown, characters: number): unknown {
  const isText = typeof content === 'string'
  if (!isText && !Array.isArray(content)) return content
  const parts: readonly unknown[] = isText ? [{ type: 'text', text: content }] : content
  let left = characters
  for (const [index, part] of parts.entries()) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') continue
    const cut = staticCut(part.text, left)
    left -= part.text.length
    if (cut === undefined) continue
    const rest = { ...part, text: part.text.slice(cut) }
    continuations.add(rest)
    const split = toParts(content)
    split.splice(index, 1, { ...part, text: part.text.slice(0, cut) }, rest)
    return split
  }
  return content
}

/** Undoes `toParts` and `splitContent`; `bare` takes what was added to a part away. Other content is kept as it is. */
export function restoreContent(
  content: readonly unknown[],
  bare: (parts: readonly unknown[]) => readonly unknown[],
): unknown {
  const parts = bare(joinContinuations(content))
  const [only] = parts
  if (!wrapped.has(content) || parts.length !== 1 || !isObject(only)) return parts
  const isBareText = Object.keys(only).length === 2 && only.type === 'text' && typeof only.text === 'string'
  return isBareText ? only.text : parts
}

/** Halves that something was put between stay halves. */
function joinContinuations(parts: readonly unknown[]): readonly unknown[] {
  if (!parts.some(isContinuation)) return parts
  const joined: unknown[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (isContinuation(part) && isObject(before) && before.type === 'text')
      joined[joined.length - 1] = { ...before, text: `${before.text}${part.text}` }
    else joined.push(part)
  }
  return joined
}

function isContinuation(part: unknown): part is Loose {
  return isObject(part) && continuations.has(part)
}

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
