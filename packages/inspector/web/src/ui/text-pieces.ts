export interface TextPiece {
  readonly kind: 'plain' | 'match' | 'invisible'
  /** Where it begins in the text, in UTF-16 units. */
  readonly from: number
  readonly text: string
}

/** More marks than this in one block make a page slow: what follows is shown on demand. */
export const maxPieces = 4_000

/**
 * Control characters, bidirectional controls, zero width characters, tags and selectors that can carry hidden text. Joiners
 * count only behind Latin text: emoji and other scripts need them.
 */
const invisible =
  /(?!\t|\n|\r|\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]|\r(?!\n)|(?<=[\t\n -\u024F]|^)(?:\u200C|\u200D)/gu

/** Cuts `text` into pieces. `end` is before `to` when there would be more than `maxPieces`. */
export function cutText(
  text: string,
  from: number,
  to: number,
  query: RegExp | null,
): { readonly pieces: readonly TextPiece[]; readonly end: number } {
  const part = text.slice(from, to)
  const marks = [...marksOf(part, invisible, 'invisible')]
  if (query !== null) marks.push(...marksOf(part, query, 'match'))
  marks.sort((a, b) => a.start - b.start || a.stop - b.stop)
  const pieces: TextPiece[] = []
  let at = 0
  for (const mark of marks) {
    if (mark.start < at) continue
    if (pieces.length >= maxPieces) return { pieces, end: from + at }
    if (mark.start > at) pieces.push({ kind: 'plain', from: from + at, text: part.slice(at, mark.start) })
    const last = pieces.at(-1)
    const piece = { kind: mark.kind, from: from + mark.start, text: part.slice(mark.start, mark.stop) }
    if (last?.kind === 'invisible' && mark.kind === 'invisible') {
      pieces[pieces.length - 1] = { ...last, text: last.text + piece.text }
    } else pieces.push(piece)
    at = mark.stop
  }
  if (at < part.length) pieces.push({ kind: 'plain', from: from + at, text: part.slice(at) })
  return { pieces, end: to }
}

interface Mark {
  readonly start: number
  readonly stop: number
  readonly kind: 'match' | 'invisible'
}

function* marksOf(part: string, expression: RegExp, kind: Mark['kind']): Generator<Mark> {
  let count = 0
  for (const match of part.matchAll(expression)) {
    if (match[0] === '') continue
    yield { start: match.index, stop: match.index + match[0].length, kind }
    count += 1
    if (count > maxPieces * 4) return
  }
}

export function namePoints(text: string): string {
  const points = [...text].map((character) => {
    const point = character.codePointAt(0) ?? 0
    return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  })
  return points.length <= 3 ? points.join(' ') : `${points.slice(0, 2).join(' ')} +${points.length - 2}`
}
