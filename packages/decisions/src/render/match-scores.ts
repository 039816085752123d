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

/** Scores of the decisions of a list that match a query: see `TermIndex`. */
export function matchScores(query: string, decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const index = new TermIndex()
  for (const decision of decisions) index.replace(undefined, decision)
  return index.scores(query)
}

/** Some decisions, by their ids. */
interface Among {
  readonly size: number
  has(id: string): boolean
}

/** Finds decisions by the words of a query. */
export class TermIndex {
  /** The decisions that have a word by their ids, with what the word counts, for each word. */
  readonly #hits = new Map<string, Map<string, number>>()
  #size = 0
  /** The last query and its scores, until a decision changes: one request asks more than once. */
  #last: { readonly query: string; readonly scores: ReadonlyMap<string, number> } | undefined

  /** Takes a decision in the place of what it was before, if it was there. */
  replace(before: Decision | undefined, after: Decision): void {
    this.#last = undefined
    if (before === undefined) this.#size++
    else if (before !== after) this.#remove(before)
    const { decided, said } = termsOf(after)
    for (const term of decided) this.#add(term, after.id, 1)
    for (const term of said) this.#add(term, after.id, QUOTE_WEIGHT)
  }

  /**
   * Scores of decisions that match a query, above 0 to 1, by identifier; one that shares no word with it is not in the map. Words
   * count by how few decisions have them. It costs as much as there are matches.
   *
   * @param among The decisions that count, and their number. Default: all.
   */
  scores(query: string, among?: Among): ReadonlyMap<string, number> {
    if (among !== undefined) return this.#score(query, among)
    if (this.#last?.query !== query) this.#last = { query, scores: this.#score(query, undefined) }
    return this.#last.scores
  }

  #score(query: string, among: Among | undefined): ReadonlyMap<string, number> {
    const asked = new Set([...queryTerms(query), ...slotTerms(query)])
    const size = among?.size ?? this.#size
    const rarest = Math.log(1 + size)
    const totals = new Map<string, number>()
    for (const term of asked) {
      const all = this.#hits.get(term) ?? new Map<string, number>()
      const hits = among === undefined ? all : new Map([...all].filter(([id]) => among.has(id)))
      if (hits.size === 0) continue
      const weight = Math.log(1 + size / hits.size) / rarest
      for (const [id, share] of hits) totals.set(id, (totals.get(id) ?? 0) + share * weight)
    }
    for (const [id, total] of totals) totals.set(id, total / (total + 1))
    return totals
  }

  #add(term: string, id: string, share: number): void {
    const hits = this.#hits.get(term)
    if (hits === undefined) this.#hits.set(term, new Map([[id, share]]))
    else hits.set(id, share)
  }

  #remove(decision: Decision): void {
    const { decided, said } = termsOf(decision)
    for (const term of [...decided, ...said]) {
      const hits = this.#hits.get(term)
      hits?.delete(decision.id)
      if (hits?.size === 0) this.#hits.delete(term)
    }
  }
}

/** Decisions do not change. */
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
