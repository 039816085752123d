import type { Decision } from '../log/decision.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { queryTerms } from './query-terms.ts'

/** The weight of a word in a quote; in the choice itself it is 1. */
const QUOTE_WEIGHT = 0.25
/** Sources whose quotes are read. */
const READ_SOURCES = 3

/** Clauses of a query in which slots are looked for. */
const MAX_CLAUSES = 20

/** From here on a decision is about the query: one word of it that few decisions have, or three of its quotes. */
export const MATCH_THRESHOLD = 0.35

/**
 * Scores of decisions that match a query, above 0 to 1, by identifier; one that shares no word with it is not in the map. Words count
 * by how few decisions have them. A list that was matched before costs as much as it has matches.
 */
export function matchScores(query: string, decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const asked = new Set([...queryTerms(query), ...slotTerms(query)])
  if (asked.size === 0) return new Map()
  const index = indexOf(decisions)
  const rarest = Math.log(1 + decisions.length)
  const totals = new Map<string, number>()
  for (const term of asked) {
    const hits = index.get(term)
    if (hits === undefined) continue
    const weight = Math.log(1 + decisions.length / hits.size) / rarest
    for (const [id, share] of hits) totals.set(id, (totals.get(id) ?? 0) + share * weight)
  }
  return new Map([...totals].map(([id, total]) => [id, total / (total + 1)]))
}

/** The decisions that have a word by their ids, with what the word counts, for each word. */
type TermIndex = Map<string, Map<string, number>>

const indexes = new WeakMap<readonly Decision[], TermIndex>()

/** A list is read once. */
function indexOf(decisions: readonly Decision[]): TermIndex {
  const known = indexes.get(decisions)
  if (known !== undefined) return known
  const index: TermIndex = new Map()
  for (const decision of decisions) addTerms(index, decision)
  indexes.set(decisions, index)
  return index
}

/** Makes the index of a list that of the one which follows it: it costs what has changed. Else the next one is read whole. */
export function takeOverIndex(before: readonly Decision[], after: readonly Decision[]): void {
  const index = indexes.get(before)
  if (index === undefined || before === after) return
  indexes.delete(before)
  if (before.length > after.length || before.some(({ id }, place) => id !== after[place]?.id)) return
  after.forEach((decision, place) => {
    const old = before[place]
    if (old === decision) return
    if (old !== undefined) removeTerms(index, old)
    addTerms(index, decision)
  })
  indexes.set(after, index)
}

function addTerms(index: TermIndex, decision: Decision): void {
  const { decided, said } = termsOf(decision)
  const add = (term: string, share: number): void => {
    const hits = index.get(term)
    if (hits === undefined) index.set(term, new Map([[decision.id, share]]))
    else hits.set(decision.id, share)
  }
  for (const term of decided) add(term, 1)
  for (const term of said) add(term, QUOTE_WEIGHT)
}

function removeTerms(index: TermIndex, decision: Decision): void {
  const { decided, said } = termsOf(decision)
  for (const term of [...decided, ...said]) {
    const hits = index.get(term)
    hits?.delete(decision.id)
    if (hits?.size === 0) index.delete(term)
  }
}

/** Decisions do not change, and each is in one list after another. */
const memo = new WeakMap<Decision, Terms>()

interface Terms {
  /** In what was decided. */
  readonly decided: readonly string[]
  /** Only in why and where. */
  readonly said: readonly string[]
}

function termsOf(decision: Decision): Terms {
  const known = memo.get(decision)
  if (known !== undefined) return known
  const { slot, area, choice, l0, entities, reason, sources } = decision
  const decided = queryTerms([slot, area, choice, l0, ...entities].join('\n')).add(slotTerm(slot))
  const quotes = sources.slice(0, READ_SOURCES).map(({ quote }) => quote)
  const said = queryTerms([reason ?? '', ...quotes].join('\n'))
  const terms = { decided: [...decided], said: [...said].filter((term) => !decided.has(term)) }
  memo.set(decision, terms)
  return terms
}

/** The slots that a query names by any of their words: "database" is about `datastore`. */
function slotTerms(query: string): string[] {
  const clauses = query.split(/[\n.?!;。？！]/, MAX_CLAUSES)
  return clauses.flatMap((clause) => findSlotWords(clause).map(({ slot }) => slotTerm(slot)))
}

/** No word has a space. */
function slotTerm(slot: string): string {
  return `slot ${slot}`
}
