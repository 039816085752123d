import type { Decision } from '../log/decision.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { eachTerm, queryTerms } from './query-terms.ts'

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
  return new TermIndex(decisions).scores(askedTerms(query))
}

/** The words of a query, and the slots that it names by any of theirs. */
export function askedTerms(query: string): ReadonlySet<string> {
  return new Set([...queryTerms(query), ...slotTerms(query)])
}

/** Says whether a decision may have one of some terms. It may be wrong where it says that it has. */
export function createFilter(asked: ReadonlySet<string>): (decision: Decision) => boolean {
  // A word in ASCII begins as its term does: "retries" as "retry" without the last letter.
  const pieces = [...asked].filter((term) => /^\w+$/.test(term)).map((term) => term.replace(/y$/, ''))
  const pattern = new RegExp([...pieces, '[^\\0-\\x7f]'].join('|'), 'i')
  const mayHave = (text: string): boolean => pattern.test(text)
  return ({ slot, area, choice, l0, entities, reason = '', sources }) =>
    [l0, choice, slot, area, reason].some(mayHave) ||
    entities.some(mayHave) ||
    sources.some(({ quote }) => mayHave(quote)) ||
    asked.has(slotTerm(slot))
}

/** Some decisions, by their numbers: those that were there first have the lowest. */
export interface Among {
  readonly size: number
  has(number: number): boolean
}

/** The places that match a query, and the sum of the weights of each place. */
interface Matches {
  readonly places: readonly number[]
  readonly totals: Float64Array
}

/** Finds decisions by the words of a query. */
export class TermIndex {
  /** For each word, twice the places of the decisions that have it, in order; one more where only a quote has it. */
  readonly #hits = new Map<string, number[]>()
  /** The decision of each place; undefined for one that has changed since and has another place. */
  readonly #ids: (string | undefined)[] = []
  readonly #places = new Map<string, number>()
  /** The number of the decision of each place: it keeps it when it changes. */
  readonly #numbers: number[] = []
  /** Places that no decision has any more. */
  #stale = 0

  /** `decisions`: those that are there. */
  constructor(decisions: readonly Decision[]) {
    for (const decision of decisions) this.replace(decision)
  }

  /** Takes a decision, in the place of what it was before. */
  replace(decision: Decision): void {
    const { id } = decision
    const before = this.#places.get(id)
    if (before !== undefined) this.#leave(before)
    this.#numbers.push((before === undefined ? undefined : this.#numbers[before]) ?? this.#places.size)
    const place = this.#ids.push(id) - 1
    this.#places.set(id, place)
    eachTerm(decidedText(decision), (term) => this.#add(term, 2 * place))
    this.#add(slotTerm(decision.slot), 2 * place)
    eachTerm(saidText(decision), (term) => this.#add(term, 2 * place + 1))
  }

  /**
   * Scores of the decisions that match a query, above 0 to 1, by identifier; one that shares no word with it is not in the map.
   * Words count by how few decisions have them. It costs as much as there are matches.
   *
   * @param size Number of decisions. Default: of those in the index; more when the others do not match.
   */
  scores(asked: ReadonlySet<string>, size = this.#places.size): ReadonlyMap<string, number> {
    const { places, totals } = this.#matches(asked, size)
    const scoreOf = (total: number) => total / (total + 1)
    return new Map(places.map((place) => [this.#ids[place] ?? '', scoreOf(totals[place] ?? 0)]))
  }

  /** Ids of those that match a query best, `most` of them, and the number of all that match. Of equal ones, the lowest number is first. */
  best(
    asked: ReadonlySet<string>,
    among: Among,
    most: number,
  ): { readonly ids: readonly string[]; readonly total: number } {
    const { places, totals } = this.#matches(asked, among.size, among)
    const order = (a: number, b: number) =>
      (totals[b] ?? 0) - (totals[a] ?? 0) || (this.#numbers[a] ?? 0) - (this.#numbers[b] ?? 0)
    const ids = firstOf(places, most, order).map((place) => this.#ids[place] ?? '')
    return { ids, total: places.length }
  }

  #matches(asked: ReadonlySet<string>, size: number, among?: Among): Matches {
    const rarest = Math.log(1 + size)
    const totals = new Float64Array(this.#ids.length)
    const places: number[] = []
    for (const term of asked) {
      const hits = this.#hits.get(term)?.filter((hit) => this.#counts(hit, among)) ?? []
      const weight = Math.log(1 + size / hits.length) / rarest
      for (const hit of hits) {
        const place = hit >> 1
        const total = totals[place] ?? 0
        if (total === 0) places.push(place)
        totals[place] = total + (hit % 2 === 0 ? weight : weight * QUOTE_WEIGHT)
      }
    }
    return { places, totals }
  }

  /** A place is empty from now on. The words forget such places when there are as many as decisions. */
  #leave(place: number): void {
    this.#ids[place] = undefined
    if (++this.#stale < this.#places.size) return
    this.#stale = 0
    for (const [term, hits] of this.#hits) {
      const left = hits.filter((hit) => this.#counts(hit, undefined))
      if (left.length === 0) this.#hits.delete(term)
      else this.#hits.set(term, left)
    }
  }

  #counts(hit: number, among: Among | undefined): boolean {
    const place = hit >> 1
    return this.#ids[place] !== undefined && (among === undefined || among.has(this.#numbers[place] ?? 0))
  }

  #add(term: string, hit: number): void {
    const hits = this.#hits.get(term)
    if (hits === undefined) this.#hits.set(term, [hit])
    // A word that a decision has more than once counts once, where it says most.
    else if ((hits.at(-1) ?? 0) >> 1 !== hit >> 1) hits.push(hit)
  }
}

/** The first items of a list in an order: of many, only a few are sorted. */
function firstOf<Item>(items: readonly Item[], most: number, order: (a: Item, b: Item) => number): Item[] {
  let first: Item[] = []
  let last: Item | undefined
  for (const item of items) {
    if (last !== undefined && order(item, last) >= 0) continue
    first.push(item)
    if (first.length < 2 * most) continue
    first = first.sort(order).slice(0, most)
    last = first.at(-1)
  }
  return first.sort(order).slice(0, most)
}

function decidedText({ slot, area, choice, l0, entities }: Decision): string {
  return [slot, area, choice, l0, ...entities].join('\n')
}

/** The words on why and where. */
function saidText({ reason = '', sources }: Decision): string {
  return [reason, ...sources.slice(0, READ_SOURCES).map(({ quote }) => quote)].join('\n')
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
