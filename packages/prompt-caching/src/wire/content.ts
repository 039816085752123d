import { isObject, sliceCharacters } from '@palimpsest/core'

export function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
}

export function mapShared<T>(list: readonly T[], change: (entry: T) => T): readonly T[] {
  const changed = list.map(change)
  return changed.every((entry, index) => entry === list[index]) ? list : changed
}

export function without<T>(value: T, name: string): T {
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: _, ...rest } = value
  return rest as T
}

export function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

/**
 * Splits the part at `characters`, counted over all texts; returns the same parts if a part ends there, or if one side
 * would be blank.
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
 * The position at which a text is cut for a static first block; undefined to keep it whole. It splits no surrogate pair
 * and leaves no blank side, because providers refuse blank blocks.
 */
function staticCut(text: string, characters: number): number | undefined {
  if (!(characters > 0 && characters < text.length)) return undefined
  const cut = sliceCharacters(text, 0, Math.floor(characters)).length
  return hasText(text.slice(0, cut)) && hasText(text.slice(cut)) ? cut : undefined
}

export function hasText(text: unknown): boolean {
  return typeof text === 'string' && /\S/.test(text)
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
