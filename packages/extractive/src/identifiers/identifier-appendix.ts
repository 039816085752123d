import type { Message, TokenCounter } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import type { MessageDigest } from '../message-digest.ts'
import { countedText } from '../text/counted-text.ts'
import {
  APPENDIX_HEADING,
  type AppendixFact,
  appendixFacts,
  parseAppendix,
  printAppendix,
} from './appendix-text.ts'
import { extractIdentifiers } from './extract-identifiers.ts'
import { fitIdentifiers } from './fit-identifiers.ts'
import type { Identifier } from './identifier.ts'
import type { IdentifierMemory } from './identifier-memory.ts'
import { identifierSet } from './identifier-set.ts'
import { messageIdentifiers } from './message-identifiers.ts'
import { type RankedIdentifier, worthAfter } from './need.ts'
import { rankIdentifiers } from './rank-identifiers.ts'

/** Of the room, what statements with a value may take before the lists of names: they say what a value is. */
const FACT_SHARE = 0.6
/** Tokens that a listed identifier takes on average at least: no more of them than this allows are ranked. */
const LEAST_COST = 3
/** Trials to get below the bound when the estimate overran it; each counts the tokens of the whole once. */
const MAX_TRIALS = 5

/** What {@link identifierAppendix} takes. */
export interface AppendixInput {
  /** What the appendix stands for, oldest first. Never changed. */
  readonly messages: readonly Message[]
  /** Text in which an identifier needs not be repeated, such as the summary and the messages that are kept. */
  readonly covered: string
  /** Messages that stay beside the appendix: their identifiers need not be repeated either. Default: none. */
  readonly visible?: readonly Message[]
  /**
   * An earlier appendix; its entries compete with the new ones. When an earlier summary of this package is put
   * behind it, the values that the next summary lets go are caught here.
   */
  readonly previousAppendix?: string | undefined
  /** What the whole conversation mentioned, to rank by. Default: what `messages` mention. */
  readonly memory?: IdentifierMemory | undefined
  /**
   * What may be listed: what `messages` and the earlier appendix hold (default), or everything that the memory knows, for
   * an appendix that stands for the whole conversation.
   */
  readonly scope?: 'messages' | 'conversation'
  /** Hard bound of the result, in tokens of `tokens`. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/**
 * The block `## Identifiers`: statements of values and identifiers that matter later and that `covered` does
 * not carry, the most valuable within `maxTokens` tokens, grouped by kind. Deterministic. Empty when there is
 * nothing to list or nothing fits.
 */
export function identifierAppendix(input: AppendixInput): string {
  const { covered, visible = [], maxTokens, tokens } = input
  const digests = input.messages.map(analyzeMessage)
  const previous = parseAppendix(input.previousAppendix)
  // Nothing happened since: the earlier list stays in its order, as long as it fits.
  const unchanged = printAppendix(previous.facts, previous.identifiers)
  if (
    digests.length === 0 &&
    unchanged === input.previousAppendix &&
    tokens.countText(unchanged) <= maxTokens
  )
    return unchanged
  const carried = new Set(identifierSet(covered))
  for (const message of visible) for (const { text } of messageIdentifiers(message)) carried.add(text)
  const facts = appendixFacts(digests, previous.facts).filter(({ value }) => !carried.has(value))
  const names = rankAll(digests, previous.identifiers, carried.size, input).filter(
    ({ text }) => !carried.has(text),
  )

  let best = ''
  let allowance = maxTokens - tokens.countText(APPENDIX_HEADING)
  for (let trial = 0; trial < MAX_TRIALS && allowance > 0; trial++) {
    const chosenFacts = fitFacts(facts, covered, FACT_SHARE * allowance, tokens)
    const inFacts = identifierSet(chosenFacts.map(({ text }) => text).join('\n'))
    const left = names.filter(({ text }) => !inFacts.has(text))
    const cost = chosenFacts.reduce((sum, fact) => sum + factCost(fact, tokens), 0)
    const chosen: readonly Identifier[] = fitIdentifiers(left, allowance - cost, tokens)
    const text = printAppendix(chosenFacts, chosen)
    const used = text === '' ? 0 : tokens.countText(text)
    if (used <= maxTokens) best = text
    // A little room that is left over costs less than counting the whole text once more.
    if (used <= maxTokens) break
    allowance -= used - maxTokens + 2 + 8 * trial
  }
  return best
}

/**
 * Candidates, the most valuable first, with so many more as are carried elsewhere. A memory knows of mentions that neither the
 * messages nor an earlier list show.
 */
function rankAll(
  digests: readonly MessageDigest[],
  previous: readonly Identifier[],
  carried: number,
  { memory, scope = 'messages', maxTokens, previousAppendix }: AppendixInput,
): readonly Identifier[] {
  const most = Math.ceil(maxTokens / LEAST_COST) + carried
  if (memory === undefined || memory.size === 0) return rankIdentifiers(digests, previous, most)
  // What it does not know stands in a list of before it was made.
  const worth = (text: string, rank: number) =>
    memory.worthOf(text) ?? worthAfter(text, memory.messages + rank)
  const byWorth = (list: readonly Identifier[]): RankedIdentifier[] =>
    list
      .map(({ text, kind }, rank) => ({ text, kind, score: worth(text, rank) }))
      .sort((a, b) => b.score - a.score)
  if (scope === 'messages') {
    const named = [...previous, ...inProse(previousAppendix)]
    return byWorth(rankIdentifiers(digests, named, Number.POSITIVE_INFINITY))
  }
  const unknown = distinct(previous).filter(({ text }) => memory.worthOf(text) === undefined)
  if (unknown.length === 0) return memory.top(most)
  return [...memory.top(most), ...byWorth(unknown)].sort((a, b) => b.score - a.score)
}

function distinct(identifiers: readonly Identifier[]): readonly Identifier[] {
  return [...new Map(identifiers.map((identifier) => [identifier.text, identifier])).values()]
}

/** What the sentences of an earlier summary name. */
function inProse(summary: string | undefined): readonly Identifier[] {
  return summary === undefined ? [] : extractIdentifiers(summary)
}

function fitFacts(
  facts: readonly AppendixFact[],
  covered: string,
  room: number,
  tokens: TokenCounter,
): AppendixFact[] {
  const chosen: AppendixFact[] = []
  let left = room
  for (const fact of facts) {
    const cost = factCost(fact, tokens)
    // A short value stands anywhere by chance: then the statement has to be there.
    if (cost > left || covered.includes(fact.value.length < 4 ? fact.text : fact.value)) continue
    left -= cost
    chosen.push(fact)
    if (left < 8) break
  }
  return chosen
}

function factCost({ text }: AppendixFact, tokens: TokenCounter): number {
  return countedText(tokens, `${text}; `)
}
