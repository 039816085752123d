import type { MessageCandidate } from '../store/candidate-query.ts'
import { createTermFinder } from './find-term.ts'
import { createTermsMatcher } from './match-terms.ts'
import type { TextMatch } from './matcher.ts'
import { checkQuery, distinctTerms, parseQuery } from './parse-query.ts'
import { type QuestionTerm, questionTerms } from './question-terms.ts'
import type { ReadMessages } from './read-once.ts'
import { type WeighedMessage, weighMessages } from './weigh-messages.ts'

/** A ranked message, with the part of it that is worth the most. */
export interface RankedMessage {
  readonly row: MessageCandidate
  readonly match: TextMatch
  readonly terms: readonly string[]
  readonly repeats: number
}

export interface RankInput {
  /** Message numbers, inclusive. */
  readonly first: number
  readonly last: number
  readonly includeReplaced: boolean
  readonly accepts: (message: MessageCandidate) => boolean
  /** The first rank that is wanted, from 0, and the one behind the last. */
  readonly start: number
  readonly end: number
}

/**
 * Messages that hold any term of a query, the best first: by the rarity of the terms that stand together in one passage of
 * it; the newer of two that are worth the same. Messages that show the same passage are one.
 * None when there is no word in the query.
 */
export async function rankMessages(
  readMessages: ReadMessages,
  query: string,
  { first, last, includeReplaced, accepts, start, end }: RankInput,
): Promise<{ readonly ranked: readonly RankedMessage[]; readonly count: number; readonly isWhole: boolean }> {
  const asked = checkQuery(query).trim()
  const terms = rankedTerms(asked)
  const { messages, isWhole } = await weighMessages(readMessages, terms, {
    ranges: [{ first, last }],
    asked,
    includeReplaced,
    accepts,
  })
  const best = messages.toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.message.seq - a.message.seq)
  const distinct = new Map<string, WeighedMessage[]>()
  for (const one of best) {
    const shown = passageOf(one).text
    const same = distinct.get(shown)
    if (same === undefined) distinct.set(shown, [one])
    else same.push(one)
  }
  const groups = [...distinct.values()]
  const ranked = groups.slice(start, end).map((same) => toRanked(same, terms))
  return { ranked, count: groups.length, isWhole }
}

function rankedTerms(query: string): readonly QuestionTerm[] {
  const given = parseQuery(query)
  const asked = given.filter(({ kind, quoted }) => quoted === true || kind === 'prefix')
  const free = given.filter((term) => !asked.includes(term)).map(({ text }) => text)
  return distinctTerms<QuestionTerm>([...asked, ...questionTerms(free.join(' '))])
}

function scoreOf({ passages }: WeighedMessage): number {
  return passages[0]?.score ?? 0
}

function passageOf({ message, passages }: WeighedMessage) {
  const { start, end } = passages[0] ?? { start: 0, end: message.text.length }
  return { start, text: message.text.slice(start, end) }
}

function toRanked(same: readonly WeighedMessage[], terms: readonly QuestionTerm[]): RankedMessage {
  const [one] = same as [WeighedMessage]
  const { message } = one
  const { start, text } = passageOf(one)
  const standing = (within: string) => terms.filter((term) => createTermFinder(term)(within, 0) !== null)
  const [match] = createTermsMatcher(standing(text)).run([text], 1).matches
  const { count = 0, start: from = 0, end: to = 0 } = match ?? {}
  return {
    row: message,
    match: { count, start: start + from, end: start + to },
    terms: standing(message.text).map(({ exact, text: term }) => exact ?? term),
    repeats: same.length - 1,
  }
}
