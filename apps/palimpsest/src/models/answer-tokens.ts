const MAX_TOKENS = 8_192
const MAX_SHARE = 1 / 8

export function answerTokens(window: number): number {
  return Math.min(MAX_TOKENS, Math.floor(window * MAX_SHARE))
}
