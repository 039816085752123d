import type { Decision } from '../log/decision.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { queryTerms } from './query-terms.ts'

/** What a word counts in a quote; in what was decided it counts 1. */
const QUOTE_WEIGHT = 0.25
/** Sources whose quotes are read. */
const READ_SOURCES = 3

/** Clauses of a query in which slots are looked for. */
const MAX_CLAUSES = 20

/** From here on a decision is about the query: one word of it that few decisions have, or three of its quotes. */
export const MATCH_THRESHOLD = 0.35

/**
 * How well decisions match a query, above 0 to 1, by identifier; one that shares no word with it is not in the map. Words count
 * by how few decisions have them. Costs as much as the texts are long.
 */
export function matchScores(query: string, decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const asked = new Set([...queryTerms(query), ...slotTerms(query)])
  if (asked.size === 0) return new Map()
  const hits = decisions.map((decision) => hitsOf(decision, asked))
  const frequency = new Map<string, number>()
  for (const { strong, weak } of hits)
    for (const term of [...strong, ...weak]) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const rarest = Math.log(1 + decisions.length)
  const weight = (term: string) => Math.log(1 + decisions.length / (frequency.get(term) ?? 1)) / rarest
  const sum = (terms: readonly string[]) => terms.reduce((total, term) => total + weight(term), 0)
  const scores = new Map<string, number>()
  decisions.forEach(({ id }, index) => {
    const { strong = [], weak = [] } = hits[index] ?? {}
    const total = sum(strong) + QUOTE_WEIGHT * sum(weak)
    if (total > 0) scores.set(id, total / (total + 1))
  })
  return scores
}

interface Hits {
  readonly strong: readonly string[]
  readonly weak: readonly string[]
}

/** The words of a query that a decision has: in what was decided, or only in why and where. */
function hitsOf(decision: Decision, asked: ReadonlySet<string>): Hits {
  const { decided, said } = termsOf(decision)
  return { strong: decided.filter((term) => asked.has(term)), weak: said.filter((term) => asked.has(term)) }
}

/** Decisions do not change, and each is matched with every query. */
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
