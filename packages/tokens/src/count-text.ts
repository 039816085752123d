import { sliceCharacters } from '@palimpsest/core'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { GptEncoding } from 'gpt-tokenizer/GptEncoding'
import { readRanks } from './read-ranks.ts'

let encoding: GptEncoding | undefined

/** The encoding splits a text into pieces before it looks for tokens. */
const PIECE = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'gu')
const known = new Map<string, number>()
const MAX_PIECES = 16_384
const MAX_PIECE_CHARACTERS = 64

function countTokens(text: string): number {
  let sum = 0
  for (const piece of text.match(PIECE) ?? []) sum += known.get(piece) ?? countPiece(piece)
  return sum
}

function countPiece(piece: string): number {
  if (encoding === undefined) {
    encoding = GptEncoding.getEncodingApi('o200k_base', readRanks)
    // Pieces are cached here instead.
    encoding.setMergeCacheSize(0)
  }
  const count = encoding.countTokens(piece, OPTIONS)
  if (known.size >= MAX_PIECES) known.clear()
  if (piece.length <= MAX_PIECE_CHARACTERS) known.set(piece, count)
  return count
}

/** The tokenizer is quadratic in unbroken runs, so longer ones are cut, which adds at most one token per cut. */
const MAX_RUN_CHARACTERS = 1024
const LONG_RUN = /((?<!\S)\S{1024,}|(?<!\s)\s{1024,})/

/** A text that looks like a control token counts as plain text. */
const OPTIONS = { disallowedSpecial: new Set<string>() }

/**
 * A longer text, in characters, is estimated: no window takes it, and counting 30 MB holds up the process for seconds.
 */
const MAX_EXACT_CHARACTERS = 1_000_000
const SAMPLES = 250
const SAMPLE_CHARACTERS = 2_000

/**
 * Tokens of a text in the `o200k_base` encoding. Exact but for runs of over 1,024 characters without a break; for a
 * text of over a million characters an estimate, from half a million of them that are spread evenly.
 */
export function countText(text: string): number {
  if (text.length <= MAX_EXACT_CHARACTERS) return countParts(text)
  const step = text.length / SAMPLES
  let sum = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = Math.floor(sample * step)
    sum += countParts(sliceCharacters(text, start, start + SAMPLE_CHARACTERS))
  }
  return Math.round((sum * step) / SAMPLE_CHARACTERS)
}

function countParts(text: string): number {
  let sum = 0
  for (const [index, part] of text.split(LONG_RUN).entries()) {
    const most = index % 2 === 1 ? MAX_RUN_CHARACTERS : Infinity
    for (let start = 0; start < part.length; ) {
      const piece = sliceCharacters(part, start, start + most)
      sum += countTokens(piece)
      start += piece.length
    }
  }
  return sum
}
