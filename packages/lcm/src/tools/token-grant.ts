import { PalimpsestError, type TokenCounter } from '@palimpsest/core'
import { ANSWER_CHARACTERS } from './answer-limits.ts'

/** Bounds how much of a history is read back. */
export interface TokenGrant {
  /** Tokens in all; null without a limit. */
  readonly tokens: number | null
  /** Tokens that are left; null without a limit. */
  left(): number | null
  /**
   * The JSON text of an answer, charged to the grant. `make` builds it with at most the given number of characters,
   * and again with fewer while the answer costs more than is left.
   *
   * @throws PalimpsestError `GRANT_USED_UP`; nothing was charged.
   */
  spend(make: (characters: number) => Promise<object>): Promise<string>
}

/** Below this an answer would hold little but its frame. */
const LEAST_TOKENS = 100
const ATTEMPTS = 5

/** A grant of tokens; without a number, one without a limit. Answers that run side by side never exceed it. */
export function createTokenGrant(tokens: number | undefined, counter: TokenCounter): TokenGrant {
  let left = tokens ?? Number.POSITIVE_INFINITY
  return {
    tokens: tokens ?? null,
    left: () => (tokens === undefined ? null : left),
    async spend(make) {
      let characters = Math.min(ANSWER_CHARACTERS, left * 4)
      for (let attempt = 0; attempt < ATTEMPTS && left >= LEAST_TOKENS; attempt++) {
        const text = JSON.stringify(await make(Math.floor(characters)))
        if (left === Number.POSITIVE_INFINITY) return text
        const cost = counter.countText(text)
        if (cost <= left) {
          left -= cost
          return text
        }
        characters *= Math.min(0.8, (left / cost) * 0.9)
      }
      throw new PalimpsestError(
        'GRANT_USED_UP',
        `the grant of ${tokens} tokens for reading back history is used up (${left} left); answer from what you ` +
          'have, or let the caller give a new grant',
      )
    },
  }
}
