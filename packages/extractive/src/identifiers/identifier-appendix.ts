import type { Message, TokenCounter } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import { extractIdentifiers } from './extract-identifiers.ts'
import { type IdentifierMemory, memoryOf, need } from './identifier-memory.ts'

/** The first line of an appendix. */
export const APPENDIX_HEADING = '## Identifiers'
/** Tokens that a listed identifier takes on average at least: no more of them than this allows are ranked. */
const LEAST_COST = 3
/** Mentions that an identifier of an earlier list stands for: it was chosen among many. */
const MENTIONS_BEFORE = 2
/** Trials to get below the bound when the estimate overran it; each counts the tokens of the whole once. */
const MAX_TRIALS = 5

/** The input of {@link identifierAppendix}. */
export interface AppendixInput {
  /** The messages that the appendix stands for, oldest first. Never changed. */
  readonly messages: readonly Message[]
  /** Text in which an identifier needs not be repeated, such as the summary. */
  readonly covered: string
  /** Messages that stay beside the appendix: their identifiers need not be repeated either. Default: none. */
  readonly visible?: readonly Message[]
  /** An earlier appendix or summary; what it names competes with what is new. */
  readonly previousAppendix?: string | undefined
  /** The identifiers of the whole conversation, to rank by. Default: what `messages` and the earlier appendix mention. */
  readonly memory?: IdentifierMemory | undefined
  /**
   * Identifiers that may be listed: those that `messages` and the earlier appendix hold (default), or everything that the memory knows, for
   * an appendix that stands for the whole conversation.
   */
  readonly scope?: 'messages' | 'conversation'
  /** Hard bound of the result, in tokens of `tokens`. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/**
 * The block `## Identifiers`: the identifiers that are most likely to be needed and that nothing beside it carries, on one
 * line, the most needed first, within `maxTokens` tokens. Deterministic. Empty when there is nothing to list or nothing fits.
 */
export function identifierAppendix(input: AppendixInput): string {
  const { messages, covered, visible = [], previousAppendix = '', maxTokens, tokens } = input
  // Nothing happened since: the earlier list stays in its order, as long as it fits.
  const isList =
    previousAppendix.startsWith(`${APPENDIX_HEADING}\n`) && !previousAppendix.slice(3).includes('\n## ')
  if (messages.length === 0 && isList && tokens.countText(previousAppendix) <= maxTokens)
    return previousAppendix
  const carried = new Set(extractIdentifiers(covered).map(({ text }) => text))
  for (const message of visible) for (const { text } of analyzeMessage(message).identifiers) carried.add(text)
  const names = candidates(input, carried.size).filter((name) => !carried.has(name))
  let allowance = maxTokens - tokens.countText(APPENDIX_HEADING) - 1
  for (let trial = 0; trial < MAX_TRIALS && allowance > 0; trial++) {
    const chosen = fitNames(names, allowance, tokens)
    if (chosen.length === 0) return ''
    const text = `${APPENDIX_HEADING}\n${chosen.map(written).join(' ')}`
    const excess = tokens.countText(text) - maxTokens
    if (excess <= 0) return text
    allowance -= excess + 2 + 8 * trial
  }
  return ''
}

/** The identifiers to list, the most needed first, with so many more as are carried elsewhere. */
function candidates(input: AppendixInput, carried: number): readonly string[] {
  const { messages, previousAppendix = '', scope = 'messages', maxTokens } = input
  const memory = memoryOf(input)
  const isAll = scope === 'conversation'
  const before = extractIdentifiers(previousAppendix)
  const inMessages = isAll ? [] : messages.flatMap((message) => analyzeMessage(message).identifiers)
  const held = [...new Set([...before, ...inMessages].map(({ text }) => text))].flatMap((text, rank) => {
    const known = memory.worthOf(text)
    if (known !== undefined) return isAll ? [] : [{ text, score: known }]
    // It was listed before the memory was made.
    return [{ text, score: MENTIONS_BEFORE * need(text, memory.messages + rank) }]
  })
  const top = isAll ? memory.top(Math.ceil(maxTokens / LEAST_COST) + carried) : []
  return [...top, ...held].sort((a, b) => b.score - a.score).map(({ text }) => text)
}

/** The first names that fit into `room` tokens by the sum of their own counts. */
function fitNames(names: readonly string[], room: number, tokens: TokenCounter): string[] {
  let left = room
  const end = names.findIndex((name) => {
    left -= tokens.countText(` ${written(name)}`)
    return left < 0
  })
  return end === -1 ? [...names] : names.slice(0, end)
}

function written(name: string): string {
  return /[\s"]/.test(name) ? `"${name.replaceAll('"', '')}"` : name
}
