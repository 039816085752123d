import { ENGLISH } from './lexicon/english.ts'
import { scan, type Token } from './scan.ts'

/**
 * Sentences that speak of a choice without making one. Tested on signs, so that they are the same in every language.
 */

export function signsOf(tokens: readonly Token[]): string {
  let signs = ''
  for (const { sign } of tokens) signs += sign
  return signs
}

const QUESTION = /[?？؟]["')\s]*$/
/** "…, ok?" asks for no answer. */
const TAG = /,\s*(?:ok|okay|please|deal|alright)\s*[?？]\s*$/i

/** Whether a sentence asks; "could you please use X" does as well. */
export function isQuestion(shape: string, signs = scanned(shape)): boolean {
  return (QUESTION.test(shape) && !TAG.test(shape)) || /^[f,.·"(-]*(?:[ba,f]*)q|,q[xK]{1,2}q/.test(signs)
}

/** Whether it is hearsay. */
export function isReported(shape: string, signs = scanned(shape)): boolean {
  return /e/.test(signs)
}

/** Whether it says what used to be. */
export function isPast(shape: string, signs = scanned(shape)): boolean {
  return /(?<!\()z/.test(signs) || /\b(?:in|by|since|until) (?:19|20)\d\d\b/.test(shape)
}

/** Whether it is a guess, a condition or undecided. */
export function isUnsure(shape: string, signs = scanned(shape)): boolean {
  return /[hcvG]/.test(signs)
}

function scanned(shape: string): string {
  return signsOf(scan(shape, ENGLISH))
}
