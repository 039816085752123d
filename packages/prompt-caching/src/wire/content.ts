import { isObject, sliceCharacters } from '@palimpsest/core'

/** The value if it is a list; an empty one for anything else, which a host may have put there. */
export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
}

/** `list.map`, but the list itself when no entry became another one. */
export function mapShared<T>(list: readonly T[], change: (entry: T) => T): readonly T[] {
  const changed = list.map(change)
  return changed.every((entry, index) => entry === list[index]) ? list : changed
}

/** The object without one member; the same object when it has none of that name. */
export function without<T>(value: T, name: string): T {
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: _, ...rest } = value
  return rest as T
}

/** Content as its parts: none of an empty text, nor of what is neither a text nor a list. */
export function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

/**
 * Parts of which the first `characters`, counted over their texts, end with a part; the same parts where they do
 * already, or where one side would be blank.
 */
export function splitParts(parts: readonly unknown[], characters = 0): readonly unknown[] {
  let left = characters
  for (const [index, part] of parts.entries()) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') continue
    const cut = staticCut(part.text, left)
    if (cut !== undefined) {
      const [head, rest] = [part.text.slice(0, cut), part.text.slice(cut)]
      return parts.toSpliced(index, 1, { ...part, text: head }, { ...part, text: rest })
    }
    left -= part.text.length
  }
  return parts
}

/**
 * Where a text is cut so that its first `characters` are a block of their own; undefined when it stays one block.
 * A cut never splits a surrogate pair, and neither side is blank, because providers refuse blank blocks.
 */
function staticCut(text: string, characters: number): number | undefined {
  if (!(characters > 0 && characters < text.length)) return undefined
  const cut = sliceCharacters(text, 0, Math.floor(characters)).length
  return hasText(text.slice(0, cut)) && hasText(text.slice(cut)) ? cut : undefined
}

/** True for a text with something to read: a marker on any other is refused. */
export function hasText(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}
