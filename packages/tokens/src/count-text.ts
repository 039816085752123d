import { sliceCharacters } from '@palimpsest/core'
import { GptEncoding } from 'gpt-tokenizer/GptEncoding'
import { pieceEnd } from './piece-end.ts'
import { readRanks } from './read-ranks.ts'

/** Made at the first count. */
let encoding: GptEncoding | undefined
/** Tokens that were counted since the tokenizer forgot its words. */
let counted = 0

/**
 * The tokenizer remembers the words that it has put together of two tokens or more: 100,000 of them, in its own usual bound and
 * in this one. Behind its own it forgets one for each that is new, and looks for it among all that it forgot before, which
 * makes a count ten times as long.
 */
const MOST_COUNTED = 200_000

/** Tokens of the pieces into which the tokenizer splits a text; a text has few different ones. */
const known = new Map<string, number>()
/** Pieces that are remembered, and their longest in characters. */
const MAX_PIECES = 16_384
const MAX_PIECE_CHARACTERS = 64

/**
 * The same for short pieces of ASCII, by their characters as two numbers: 22 and 28 bits. Most pieces are such, and a look here
 * makes no string. A piece takes the slot of another one.
 */
const SLOT_BITS = 13
const heads = new Int32Array(2 ** SLOT_BITS)
const rests = new Int32Array(2 ** SLOT_BITS)
const counts = new Uint8Array(2 ** SLOT_BITS)
const HEAD_CHARACTERS = 3
const SHORT_PIECE = 7

function countTokens(text: string): number {
  let sum = 0
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start)
    sum += end - start > SHORT_PIECE ? countPiece(text, start, end) : countShortPiece(text, start, end)
    start = end
  }
  return sum
}

function countPiece(text: string, start: number, end: number): number {
  const piece = text.slice(start, end)
  return known.get(piece) ?? remember(piece)
}

function countShortPiece(text: string, start: number, end: number): number {
  // The one tells apart how many characters there are.
  let head = 1
  let rest = 0
  let codes = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    codes |= code
    if (at < start + HEAD_CHARACTERS) head = (head << 7) | code
    else rest = (rest << 7) | code
  }
  if (codes > 127) return countPiece(text, start, end)
  const slot = (Math.imul(head, 0x9e3779b1) ^ Math.imul(rest, 0x85ebca6b)) >>> (32 - SLOT_BITS)
  if (heads[slot] === head && rests[slot] === rest) return counts[slot] as number
  const count = countPiece(text, start, end)
  heads[slot] = head
  rests[slot] = rest
  counts[slot] = count
  return count
}

function remember(piece: string): number {
  const count = encode(piece)
  if (known.size >= MAX_PIECES) known.clear()
  if (piece.length <= MAX_PIECE_CHARACTERS) known.set(piece, count)
  return count
}

function encode(text: string): number {
  if (encoding === undefined) {
    encoding = GptEncoding.getEncodingApi('o200k_base', readRanks)
    encoding.setMergeCacheSize(Number.MAX_SAFE_INTEGER)
  }
  const tokens = encoding.countTokens(text, OPTIONS)
  counted += tokens
  if (counted > MOST_COUNTED) {
    encoding.clearMergeCache()
    counted = 0
  }
  return tokens
}

/** The tokenizer is quadratic in a run without a break, so longer runs are cut. Each cut adds one token at most. */
const MAX_RUN_CHARACTERS = 1024
const SPACE = /\s/

/** Whether a run of one kind, white space or not, is that long. Looks at few characters of most texts. */
function hasLongRun(text: string): boolean {
  for (let at = MAX_RUN_CHARACTERS - 1; at < text.length; ) {
    const isSpace = SPACE.test(text.charAt(at))
    let start = at
    while (start > 0 && at - start < MAX_RUN_CHARACTERS && SPACE.test(text.charAt(start - 1)) === isSpace)
      start--
    if (at - start + 1 >= MAX_RUN_CHARACTERS) return true
    at = start + MAX_RUN_CHARACTERS - 1
  }
  return false
}

/** A text that looks like a control token of the model counts as plain text. */
const OPTIONS = { disallowedSpecial: new Set<string>() }

/** Tokens of a text in the `o200k_base` encoding. Exact but for runs of over 1,024 characters without a break. */
export function countText(text: string): number {
  if (!hasLongRun(text)) return countTokens(text)
  let sum = 0
  for (const piece of text.split(/((?<!\S)\S{1024,}|(?<!\s)\s{1024,})/)) {
    const isLongRun = hasLongRun(piece)
    for (let start = 0; start < piece.length; ) {
      const part = isLongRun ? sliceCharacters(piece, start, start + MAX_RUN_CHARACTERS) : piece
      sum += countTokens(part)
      start += part.length
    }
  }
  return sum
}

const LINE_BREAKS = /[\r\n]+/g
const LETTER_OR_DIGIT = /[A-Za-z0-9]/
const SPACE_OR_SLASH = /[\s/]/

/**
 * Tokens of a text as the sum of those of its lines: the same number, because the tokenizer always begins anew between a letter
 * and a line break, and behind line breaks where neither white space nor a slash follows.
 */
export function countLines(text: string, countLine: (line: string) => number): number {
  let sum = 0
  let start = 0
  const take = (end: number): void => {
    if (end > start) sum += countLine(text.slice(start, end))
    start = Math.max(start, end)
  }
  for (const { 0: breaks, index } of text.matchAll(LINE_BREAKS)) {
    const end = index + breaks.length
    if (LETTER_OR_DIGIT.test(text.charAt(index - 1))) take(index)
    if (!SPACE_OR_SLASH.test(text.charAt(end))) take(end)
  }
  take(text.length)
  return sum
}
