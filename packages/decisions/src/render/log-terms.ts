import type { Decision, DecisionSet } from '../log/decision.ts'
import { type Among, askedTerms, createFilter, TermIndex } from './match-scores.ts'

/** Queries for which each decision is looked at: an index costs as much as about eight of them. */
const MAX_LOOKS = 4
/** Words of a query that are looked for in every decision. */
const MAX_WORDS = 50

/** The decisions of a log by their words. The first queries are answered without an index, because a session may ask no more. */
export class LogTerms {
  readonly #decisions: Pick<DecisionSet, 'all'>
  #index: TermIndex | undefined
  #looks = 0
  /** The last query and its scores, until a decision changes: one request asks more than once. */
  #last: { readonly query: string; readonly scores: ReadonlyMap<string, number> } | undefined

  constructor(decisions: Pick<DecisionSet, 'all'>) {
    this.#decisions = decisions
  }

  /** Takes a decision of the log that is new or has changed. */
  replace(decision: Decision): void {
    this.#last = undefined
    this.#index?.replace(decision)
  }

  /** As `TermIndex` has them. */
  scores(query: string): ReadonlyMap<string, number> {
    if (this.#last?.query !== query) this.#last = { query, scores: this.#find(askedTerms(query)) }
    return this.#last.scores
  }

  /** As `TermIndex` has them. */
  best(query: string, among: Among, most: number): ReturnType<TermIndex['best']> {
    return this.#whole().best(askedTerms(query), among, most)
  }

  #find(asked: ReadonlySet<string>): ReadonlyMap<string, number> {
    const isLook = this.#index === undefined && asked.size <= MAX_WORDS && this.#looks++ < MAX_LOOKS
    if (!isLook) return this.#whole().scores(asked)
    const { all } = this.#decisions
    return new TermIndex(all.filter(createFilter(asked))).scores(asked, all.length)
  }

  #whole(): TermIndex {
    this.#index ??= new TermIndex(this.#decisions.all)
    return this.#index
  }
}
