import type { Decision, DecisionSet } from '../log/decision.ts'
import { type Among, askedTerms, createFilter, TermIndex } from './match-scores.ts'

/** Words of a query that are looked for in every decision. */
const MAX_WORDS = 50

/**
 * The decisions of a log by their words. For the first query each of them is looked at, which costs an eighth of an index: that
 * is built when another one is asked.
 */
export class LogTerms {
  readonly #decisions: Pick<DecisionSet, 'all'>
  #index: TermIndex | undefined
  #isAsked = false
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
    if (asked.size === 0) return new Map()
    if (this.#isAsked || asked.size > MAX_WORDS) return this.#whole().scores(asked)
    this.#isAsked = true
    const { all } = this.#decisions
    const some = all.filter(createFilter(asked))
    // Where most of them may match, as in other scripts, the index is built at once.
    const isMost = some.length > all.length / 2
    return isMost ? this.#whole().scores(asked) : new TermIndex(some).scores(asked, all.length)
  }

  #whole(): TermIndex {
    this.#index ??= new TermIndex(this.#decisions.all)
    return this.#index
  }
}
