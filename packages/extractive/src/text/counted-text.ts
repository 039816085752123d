import type { TokenCounter } from '@palimpsest/core'

/** Texts remembered per counter: lines and identifiers come back at every update. */
const MAX_TEXTS = 50_000

const memos = new WeakMap<TokenCounter, Map<string, number>>()

/** `tokens.countText` of short texts, each counted once per counter as long as it is remembered. */
export function countedText(tokens: TokenCounter, text: string): number {
  let memo = memos.get(tokens)
  if (memo === undefined || memo.size > MAX_TEXTS) {
    memo = new Map()
    memos.set(tokens, memo)
  }
  let count = memo.get(text)
  if (count === undefined) {
    count = tokens.countText(text)
    memo.set(text, count)
  }
  return count
}
