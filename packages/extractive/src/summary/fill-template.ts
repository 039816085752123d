import type { TokenCounter } from '@palimpsest/core'
import { fitIdentifiers } from '../identifiers/fit-identifiers.ts'
import type { Identifier } from '../identifiers/identifier.ts'
import { identifierLines } from '../identifiers/identifier-lines.ts'
import { identifierSet } from '../identifiers/identifier-set.ts'
import { MINIMAL_LINE } from './header-line.ts'
import type { Item } from './item.ts'
import { rankItems } from './rank-items.ts'
import { renderSummary } from './render.ts'
import { selectItems } from './select-items.ts'

/** What identifier lines in a summary begin with, to tell them from facts. */
const LABEL_PREFIX = 'other '
/** Of a summary's room, what is kept for identifiers that no sentence carries; small budgets have none to spare. */
const IDENTIFIER_SHARE = 0.3
const MIN_TOKENS_FOR_IDENTIFIERS = 200
/** Room below which a line of identifiers is not begun. */
const MIN_IDENTIFIER_TOKENS = 12

/** What may be printed. */
export interface TemplateContent {
  readonly header: string
  /** In print order, each once. */
  readonly items: readonly Item[]
  /** Most valuable first. */
  readonly identifiers: readonly Identifier[]
}

/** How much of it may be printed, and what counts most. */
export interface TemplateBudget {
  readonly maxTokens: number
  readonly tokens: TokenCounter
  readonly focusTopic?: string | undefined
  /** Identifiers that need no line because the reader sees them anyway. */
  readonly seen: ReadonlySet<string>
}

/** Trials to use the room that an estimate left or overran; each counts the tokens of the whole once. */
const MAX_TRIALS = 6
/** A summary that uses this much of its budget is full. */
const FULL = 0.95

/** Prints as much of the content as fits into the budget, by worth. Never longer than `maxTokens`. */
export function fillTemplate(content: TemplateContent, budget: TemplateBudget): string {
  const { header, items, identifiers } = content
  const { maxTokens, tokens } = budget
  const headerCost = tokens.countText(header)
  if (headerCost > maxTokens) return tokens.countText(MINIMAL_LINE) <= maxTokens ? MINIMAL_LINE : ''
  const room = maxTokens - headerCost
  const share = maxTokens < MIN_TOKENS_FOR_IDENTIFIERS || identifiers.length === 0 ? 0 : IDENTIFIER_SHARE
  const ranked = rankItems(items, budget.focusTopic)
  let best = header
  // Sums of parts differ from the count of the whole: correct the room by the difference, a few times.
  for (let trial = 0, allowance = room; trial < MAX_TRIALS && allowance > 0; trial++) {
    const selected = selectItems(ranked, allowance, share * room, tokens)
    const spare = allowance - selected.cost
    const prose = renderSummary(header, selected.items, [])
    const missing = spare > MIN_IDENTIFIER_TOKENS ? notIn(identifiers, prose, budget.seen) : []
    const chosen = fitIdentifiers(missing, spare, tokens)
    const text =
      chosen.length === 0
        ? prose
        : renderSummary(header, selected.items, identifierLines(chosen, LABEL_PREFIX))
    const used = tokens.countText(text)
    if (used <= maxTokens) best = text
    const complete = selected.items.length === items.length && chosen.length === missing.length
    if (used <= maxTokens && (complete || used >= FULL * maxTokens || trial > 2)) break
    allowance += used > maxTokens ? maxTokens - used - 2 - trial * 8 : Math.floor(0.9 * (maxTokens - used))
  }
  return best
}

/** The identifiers that neither the text nor anything else that is seen carries. */
function notIn(
  identifiers: readonly Identifier[],
  prose: string,
  seen: ReadonlySet<string>,
): readonly Identifier[] {
  const carried = identifierSet(prose)
  return identifiers.filter(({ text }) => !carried.has(text) && !seen.has(text))
}
