import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** The tokenizer is quadratic in a run without a break, so longer runs are cut here: one token more a cut at most. */
const MAX_RUN_CHARACTERS = 1024
/** Anchored to the beginning of a run, so that each run is looked at once. */
const LONG_RUN = /(?<!\S)\S{1024}|(?<!\s)\s{1024}/

/** A text that looks like a control token of the model is counted as the plain text that it is. */
const OPTIONS = { disallowedSpecial: new Set<string>() }

/** Tokens of a text in the `o200k_base` encoding. Exact but for runs of over 1,024 characters without a break. */
export function countText(text: string): number {
  if (text.length < MAX_RUN_CHARACTERS || !LONG_RUN.test(text)) return countTokens(text, OPTIONS)
  let sum = 0
  for (const piece of text.split(/((?<!\S)\S{1024,}|(?<!\s)\s{1024,})/)) {
    const isLongRun = LONG_RUN.test(piece)
    for (let start = 0; start < piece.length; ) {
      const end = cutAt(piece, start, isLongRun)
      sum += countTokens(piece.slice(start, end), OPTIONS)
      start = end
    }
  }
  return sum
}

/** The end of the next cut; a piece without a long run is not cut at all, and no surrogate pair is. */
function cutAt(piece: string, start: number, isLongRun: boolean): number {
  const end = start + MAX_RUN_CHARACTERS
  if (end >= piece.length || !isLongRun) return piece.length
  const code = piece.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end
}
