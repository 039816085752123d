export interface TextWindow {
  readonly from: number
  readonly to: number
}

/** Limits of a folded text. */
export const foldedLines = 12
export const foldedCharacters = 1_200

/** One press of a button adds at most this: a line of a megabyte takes a browser seconds to lay out. */
export const stepCharacters = 200_000

const tolerance = 1.25

/** The first lines of a text, or the lines around `at`, where a search may have found something. */
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

/** Never between the halves of a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 ? at - 1 : at
}
