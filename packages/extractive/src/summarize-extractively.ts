import type { Message, TokenCounter } from '@palimpsest/core'
import type { Identifier } from './identifiers/identifier.ts'
import { identifierSet } from './identifiers/identifier-set.ts'
import { rankIdentifiers } from './identifiers/rank-identifiers.ts'
import { decisionItems } from './summary/decision-items.ts'
import { factItems } from './summary/fact-items.ts'
import { failureItems } from './summary/failures.ts'
import { fileItems } from './summary/file-ledger.ts'
import { fillTemplate } from './summary/fill-template.ts'
import { headerLine } from './summary/header-line.ts'
import type { Item } from './summary/item.ts'
import { mergeItems } from './summary/merge-items.ts'
import { parseSummary } from './summary/parse-summary.ts'
import { stateItems } from './summary/state-items.ts'
import { stepItems } from './summary/step-items.ts'
import { turnItems } from './summary/turn-items.ts'
import { walkMessages } from './summary/walk-messages.ts'

/** From this many tokens on, the first line explains its marks. */
const LEGEND_TOKENS = 400

/** What {@link summarizeExtractively} takes. */
export interface ExtractiveInput {
  /** What the summary stands for, oldest first. Never changed. */
  readonly messages: readonly Message[]
  /** An earlier summary in the template, by this package or by a model. It is merged, not nested. */
  readonly previousSummary?: string | undefined
  /** What the larger share of the room goes to. */
  readonly focusTopic?: string | undefined
  /** Hard bound of the result, in tokens of `tokens`. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
  /**
   * Text or identifiers that the reader sees anyway, such as the messages that are kept. The lists of
   * identifiers leave out what stands there and hold others instead; sentences are not affected.
   */
  readonly keep?: ReadonlySet<string> | string | undefined
  /** Whether the conversation goes on behind the messages: then their last turn is not called open. Default: false. */
  readonly continues?: boolean
  /**
   * What the lists of identifiers are chosen from, the most valuable first. Default: what the messages and the earlier
   * summary mention. Empty: no lists, for callers that append {@link identifierAppendix}.
   */
  readonly identifiers?: readonly Identifier[] | undefined
}

/**
 * Summarises messages without a model: the sections of {@link SECTION_HEADINGS} filled with what was said,
 * done, decided and seen, quoted and attributed. Deterministic and linear; a message is analysed once in its
 * life. The result has at most `maxTokens` tokens and says in its first line how it was made; it is empty when
 * there is nothing to summarise or not even a short line fits.
 *
 * With `previousSummary`, both are merged item by item: newer values replace older ones, what age made less
 * valuable fades first. Without new messages a summary of this function comes back unchanged.
 */
export function summarizeExtractively(input: ExtractiveInput): string {
  const { messages, maxTokens, tokens, focusTopic } = input
  const previous = parseSummary(input.previousSummary)
  if (!(maxTokens > 0) || (messages.length === 0 && !input.previousSummary?.trim())) return ''
  // Nothing happened since: our own summary stays as it is, as long as it fits.
  if (messages.length === 0 && previous.own && tokens.countText(input.previousSummary ?? '') <= maxTokens)
    return input.previousSummary ?? ''
  const walk = walkMessages(messages, previous.header.turns)
  const of = (slot: Item['slot']): Item[] => previous.items.filter((item) => item.slot === slot)

  const decisions = decisionItems(walk)
  const quoted = new Set(walk.replies.flatMap(({ assistant }) => assistant.decisions.map(({ text }) => text)))
  const items = mergeItems(previous.items, messages.length > 0, [
    ...turnItems(walk),
    ...stepItems(walk, quoted),
    ...stateItems(input.continues === true ? { ...walk, open: false } : walk),
    ...failureItems(walk, of('Blocked')),
    ...decisions,
    ...fileItems(walk.runs, of('Relevant Files')),
    ...factItems(walk, of('Critical Context')),
  ])
  const header = headerLine(
    {
      messages: previous.header.messages + messages.length,
      turns: previous.header.turns + walk.turns.length,
      earlier: previous.header.earlier,
    },
    maxTokens >= LEGEND_TOKENS,
  )
  const content = {
    header,
    items,
    identifiers: input.identifiers ?? rankIdentifiers(walk.digests, previous.identifiers, input.maxTokens),
  }
  return fillTemplate(content, { maxTokens, tokens, focusTopic, seen: identifierSet(input.keep) })
}
