import type { TokenCounter } from '@palimpsest/core'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { fitIdentifiers } from '../identifiers/fit-identifiers.ts'
import type { Identifier } from '../identifiers/identifier.ts'
import { identifierLines } from '../identifiers/identifier-lines.ts'
import { MINIMAL_LINE } from './header-line.ts'
import type { Item } from './item.ts'
import { renderSummary } from './render.ts'
import { selectItems } from './select-items.ts'
import { rankItems } from './worth.ts'

/** What identifier lines in a summary begin with, to tell them from facts. */
const LABEL_PREFIX = 'other '
/** Of a summary's room, what is kept for identifiers that no sentence carries; small budgets have none to spare. */
const IDENTIFIER_SHARE = 0.3
const MIN_TOKENS_FOR_IDENTIFIERS = 200

export interface TemplateContent {
  readonly header: string
  /** In print order, each once. */
  readonly items: readonly Item[]
  /** Most valuable first. */
  readonly identifiers: readonly Identifier[]
}

export interface TemplateBudget {
  readonly maxTokens: number
  readonly tokens: TokenCounter
  readonly focusTopic?: string | undefined
}

/** Prints as much of the content as fits into the budget, by worth. Never longer than `maxTokens`. */
export function fillTemplate(content: TemplateContent, budget: TemplateBudget): string {
  const { header, items } = content
  const { maxTokens, tokens } = budget
  const headerCost = tokens.countText(header)
  if (headerCost > maxTokens) return tokens.countText(MINIMAL_LINE) <= maxTokens ? MINIMAL_LINE : ''
  const room = maxTokens - headerCost
  const share = maxTokens < MIN_TOKENS_FOR_IDENTIFIERS || content.identifiers.length === 0 ? 0 : IDENTIFIER_SHARE
  const ranked = rankItems(items, budget.focusTopic)
  let itemRoom = room
  for (;;) {
    const selected = selectItems(ranked, itemRoom, share * room, tokens)
    const prose = renderSummary(header, selected.items, [])
    const used = tokens.countText(prose)
    if (used <= maxTokens || selected.items.length === 0) return withIdentifiers(content, selected.items, prose, maxTokens - used, tokens)
    // The whole can cost more than its parts; take the difference, and a little more, off the room.
    itemRoom -= used - maxTokens + 2
  }
}

/** Everything, when that fits. What a summary was read back from fits again: this makes it a fixed point. */
export function printAll({ header, items, identifiers }: TemplateContent): string {
  return renderSummary(header, items, identifierLines(identifiers, LABEL_PREFIX))
}

function withIdentifiers(
  { header, identifiers }: TemplateContent,
  items: readonly Item[],
  prose: string,
  room: number,
  tokens: TokenCounter,
): string {
  const carried = new Set(extractIdentifiers(prose).map(({ text }) => text))
  const missing = identifiers.filter(({ text }) => !carried.has(text))
  let allowance = room
  while (allowance > 8) {
    const chosen = fitIdentifiers(missing, allowance, tokens, (lines) => `\n\n## Critical Context\n- ${lines.join('\n- ')}`, LABEL_PREFIX)
    if (chosen.length === 0) return prose
    const text = renderSummary(header, items, identifierLines(chosen, LABEL_PREFIX))
    const over = tokens.countText(text) - tokens.countText(prose) - room
    if (over <= 0) return text
    allowance -= over + 4
  }
  return prose
}
