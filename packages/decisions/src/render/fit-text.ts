import type { TokenCounter } from '@palimpsest/core'
import type { RenderedBlock } from './rendered-block.ts'

/** Attempts with less room, before nothing is said at all. */
const MAX_ATTEMPTS = 8

/**
 * A text that is planned by the counts of its lines, and counted as a whole: where a tokenizer makes more of the whole than of
 * its parts, it is planned again with less room.
 */
export function fitText(
  tokens: TokenCounter,
  budgetTokens: number,
  plan: (budget: number) => Pick<RenderedBlock, 'text' | 'lines'> | undefined,
): RenderedBlock {
  let budget = budgetTokens
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const planned = plan(budget)
    if (planned === undefined || planned.text === '') break
    const count = tokens.countText(planned.text)
    if (count <= budgetTokens) return { ...planned, tokens: count }
    budget -= (count - budgetTokens) * 2 ** attempt
  }
  return { text: '', tokens: 0, lines: new Map() }
}
