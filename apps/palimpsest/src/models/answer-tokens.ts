/** Tokens that are kept free for an answer: at most so many, and no more than this share of the window. */
const MAX_TOKENS = 8_192
const MAX_SHARE = 1 / 8

/** The share of a window that prompts leave to the answer, both in tokens. */
export function answerTokens(window: number): number {
  return Math.min(MAX_TOKENS, Math.floor(window * MAX_SHARE))
}
