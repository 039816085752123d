import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'

/** Kinds of ASCII characters, as the expression of the encoding tells them apart. Of others only the expression knows. */
const OTHER = 0
const UPPER = 1
const LOWER = 2
const DIGIT = 3
const BREAK = 4
const BLANK = 5
const BEYOND_ASCII = 6
const KINDS = new Uint8Array(65_536).fill(BEYOND_ASCII)
KINDS.fill(OTHER, 0, 128).fill(UPPER, 65, 91).fill(LOWER, 97, 123).fill(DIGIT, 48, 58).fill(BLANK, 9, 14)
KINDS[32] = BLANK
KINDS[10] = BREAK
KINDS[13] = BREAK

const SPACE = 32
const SLASH = 47
const APOSTROPHE = 39
const CONTRACTION = /'(?:[sdmt]|ll|ve|re)/iy
const PIECE = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy')

/**
 * The end of the piece of a text that begins at a place. The encoding cuts a text into pieces before it looks for tokens; this
 * is where its expression would, in a third of the time where the text is ASCII.
 */
export function pieceEnd(text: string, start: number): number {
  const end = asciiPieceEnd(text, start)
  if (end !== -1) return end
  PIECE.lastIndex = start
  return PIECE.test(text) ? PIECE.lastIndex : start + 1
}

function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] as number
}

/** -1 where a character beyond ASCII may belong to the piece. */
function asciiPieceEnd(text: string, start: number): number {
  const kind = kindAt(text, start)
  if (kind === BEYOND_ASCII) return -1
  if (kind === UPPER || kind === LOWER) return wordEnd(text, start, kind)
  if (kind === DIGIT) return digitsEnd(text, start)
  if (kind === BREAK) return blanksEnd(text, start)
  const from = start + 1
  if (from === text.length) return from
  const next = kindAt(text, from)
  if (next === UPPER || next === LOWER) return wordEnd(text, from, next)
  if (next === BEYOND_ASCII) return -1
  if (kind === OTHER) return signsEnd(text, from)
  return next === OTHER && text.charCodeAt(start) === SPACE ? signsEnd(text, from) : blanksEnd(text, start)
}

/** Capital letters, small ones, and what an apostrophe cuts off. */
function wordEnd(text: string, start: number, first: number): number {
  const { length } = text
  let end = start
  let kind = first
  while (kind === UPPER && ++end < length) kind = kindAt(text, end)
  while (kind === LOWER && ++end < length) kind = kindAt(text, end)
  if (end === length) return end
  if (kind === BEYOND_ASCII) return -1
  if (text.charCodeAt(end) !== APOSTROPHE) return end
  CONTRACTION.lastIndex = end
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : end
}

/** Three digits at most. */
function digitsEnd(text: string, start: number): number {
  const most = Math.min(start + 3, text.length)
  for (let end = start + 1; end < most; end++) {
    const kind = kindAt(text, end)
    if (kind !== DIGIT) return kind === BEYOND_ASCII ? -1 : end
  }
  return most
}

/** Signs, then line breaks and slashes. */
function signsEnd(text: string, from: number): number {
  const { length } = text
  let end = from
  while (end < length && kindAt(text, end) === OTHER) end++
  while (end < length && (kindAt(text, end) === BREAK || text.charCodeAt(end) === SLASH)) end++
  return end < length && kindAt(text, end) === BEYOND_ASCII ? -1 : end
}

/** White space up to its last line break; without one, all but what the next piece begins with. */
function blanksEnd(text: string, start: number): number {
  let behindBreak = -1
  let end = start
  for (; end < text.length; end++) {
    const kind = kindAt(text, end)
    if (kind === BEYOND_ASCII) return -1
    if (kind === BREAK) behindBreak = end + 1
    else if (kind !== BLANK) break
  }
  if (behindBreak !== -1) return behindBreak
  return end === text.length || end === start + 1 ? end : end - 1
}
