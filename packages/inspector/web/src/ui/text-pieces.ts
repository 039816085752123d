export interface TextPiece {
  readonly kind: 'plain' | 'match' | 'invisible'
  readonly from: number
  readonly text: string
}

/** More marks in one block make a page slow; the rest is shown on demand. */
export const maxPieces = 4_000

/**
 * Control characters, bidirectional controls, zero-width characters, tags and selectors that can hide text. Joiners
 * count only after Latin text: emoji and other scripts need them.
 */
const invisible =
  /(?!\t|\n|\r|\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]|\r(?!\n)|(?<=[\t\n -\u024F]|^)(?:\u200C|\u200D)/gu

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
  return { pieces, end: from + part.length }
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

export const visibleText = (text: string): string =>
  cutText(text, 0, text.length, null)
    .pieces.map((piece) => (piece.kind === 'invisible' ? namePoints(piece.text) : piece.text))
    .join('')

export interface TextWindow {
  readonly from: number
  readonly to: number
}

export const foldedLines = 12
const foldedCharacters = 1_200

/** Maximum addition per click: a line of a megabyte takes a browser seconds to lay out. */
export const stepCharacters = 200_000

const tolerance = 1.25

export function foldText(text: string, at = 0): TextWindow {
  const from = startOfFold(text, at)
  const to = endOfFold(text, from, foldedLines, foldedCharacters)
  if (from > 0) return { from, to }
  const generous = endOfFold(text, 0, foldedLines * tolerance, foldedCharacters * tolerance)
  return { from: 0, to: generous === text.length ? generous : to }
}

function startOfFold(text: string, at: number): number {
  if (at < foldedCharacters / 2 && endOfFold(text, 0, foldedLines, foldedCharacters) > at) return 0
  const line = text.lastIndexOf('\n', at - 1) + 1
  return wholeCharacter(text, Math.max(line, at - foldedCharacters / 4))
}

function endOfFold(text: string, from: number, lines: number, characters: number): number {
  let to = from
  for (let line = 0; line < lines; line += 1) {
    const next = text.indexOf('\n', to)
    if (next === -1) return wholeCharacter(text, Math.min(text.length, from + characters))
    if (next - from >= characters) return wholeCharacter(text, from + characters)
    to = next + 1
  }
  return to
}

/** Never splits a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at
}
