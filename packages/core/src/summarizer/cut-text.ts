import { sliceCharacters } from '../messages/slice-characters.ts'

export interface CutTextInput {
  readonly text: string
  /** Tokens of the whole text, about. */
  readonly size: number
  readonly maxTokens: number
  /** The beginning may be this much shorter than `maxTokens`, in tokens: finding the very place would cost. */
  readonly slack: number
  /** Tokens of the text up to a place. */
  readonly sizeTo: (at: number) => number
}

/** Guesses that go by how many characters a token has; beyond them the place is found by halving. */
const GUESSES = 4

/** Where the longest beginning of a text ends that takes no more than `maxTokens`, and what it takes. Never inside a surrogate pair. */
export function cutText({ text, size, maxTokens, slack, sizeTo }: CutTextInput): {
  at: number
  size: number
} {
  let fits = { at: 0, size: 0 }
  let tooLong = text.length + 1
  let guess = Math.ceil((text.length * maxTokens) / Math.max(1, size))
  for (let tries = 1; tooLong - fits.at > 1 && maxTokens - fits.size > slack; tries++) {
    const at = Math.min(Math.max(guess, fits.at + 1), tooLong - 1)
    const taken = sizeTo(at)
    if (taken <= maxTokens) fits = { at, size: taken }
    else tooLong = at
    guess = tries < GUESSES ? Math.ceil((at * maxTokens) / Math.max(1, taken)) : (fits.at + tooLong) >> 1
  }
  return { ...fits, at: sliceCharacters(text, 0, fits.at).length }
}
