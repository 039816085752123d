import { sliceCharacters } from '@palimpsest/core'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { GptEncoding } from 'gpt-tokenizer/GptEncoding'
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
/** The pieces of a longer text are not held all at once. */
const MAX_AT_ONCE = 100_000

function countTokens(text: string): number {
  if (text.length > MAX_AT_ONCE) return encode(text)
  let sum = 0
  for (const piece of text.match(O200K_TOKEN_SPLIT_REGEX) ?? []) {
    sum += known.get(piece) ?? remember(piece)
  }
  return sum
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
/** Anchored to the beginning of a run, so that each run is scanned once. */
const LONG_RUN = /(?<!\S)\S{1024}|(?<!\s)\s{1024}/

/** A text that looks like a control token of the model counts as plain text. */
const OPTIONS = { disallowedSpecial: new Set<string>() }

/** Tokens of a text in the `o200k_base` encoding. Exact but for runs of over 1,024 characters without a break. */
export function countText(text: string): number {
  if (text.length < MAX_RUN_CHARACTERS || !LONG_RUN.test(text)) return countTokens(text)
  let sum = 0
  for (const piece of text.split(/((?<!\S)\S{1024,}|(?<!\s)\s{1024,})/)) {
    const isLongRun = LONG_RUN.test(piece)
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
