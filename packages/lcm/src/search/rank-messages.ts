import type { Candidate, CandidateQuery, SearchTerm, SeqRange } from '@palimpsest/core'
import { createTermFinder, type Span, type TermFinder, type TextMatch } from './find-term.ts'
import {
  asPrefixes,
  asSubstrings,
  checkQuery,
  distinctTerms,
  parseQuery,
  type QueryTerm,
  storeTerms,
  withForms,
} from './parse-query.ts'
import { questionTerms } from './question-terms.ts'
import { PASSAGE_CHARACTERS } from './search-types.ts'
import { cutAround } from './snippet.ts'

const MESSAGES_PER_TERM = 200
const PAIRED_TERMS = 5
/** BM25's usual saturation. */
const K1 = 1.2
const MAX_SPANS = 100
/** Weight of another form of a word. */
const FORM_SHARE = 0.85
/** Weight of a term in a neighbouring message, by distance. */
const NEIGHBOUR_SHARES = [0.5, 0.25]
/** Bonus for adjacent terms in query order. */
const PHRASE_SHARE = 0.3
const BESIDE_CHARACTERS = 15
/** Penalty for terms that are as far apart as the stretch is long. */
const CLOSENESS_SHARE = 0.2
const KINDS = ['word', 'prefix', 'substring'] as const

export interface RankInput extends SeqRange {
  readonly includeReplaced: boolean
  readonly accepts: (message: Candidate) => boolean
}

export interface RankedMessage {
  readonly row: Candidate
  readonly match: TextMatch
}

export interface Ranking {
  readonly messages: readonly RankedMessage[]
  readonly matched: SearchTerm['kind']
  readonly absent: readonly string[]
  readonly isWhole: boolean
}

interface KnownTerm {
  readonly term: QueryTerm
  readonly find: TermFinder
  readonly frequency: number
}

/**
 * Ranks messages that contain some of a query's terms: exact phrases first, then by the rarity and closeness of the
 * terms in them and, with less weight, in their neighbours; ties go to the newest. Messages with equal text are shown
 * once.
 *
 * @throws InvalidOptionError for an invalid query.
 */
export async function rankMessages(
  read: (query: CandidateQuery) => Promise<readonly Candidate[]>,
  query: string,
  { first, last, includeReplaced, accepts }: RankInput,
): Promise<Ranking> {
  const asked = checkQuery(query).trim()
  const found = new Map<number, Candidate>()
  const readWith = async (...where: readonly (readonly SearchTerm[])[]) => {
    const limits = { first, last, order: 'newest', limit: MESSAGES_PER_TERM, includeReplaced } as const
    const rows = await read({ ...limits, where })
    return { rows, isCut: rows.length === MESSAGES_PER_TERM }
  }
  let isWhole = true
  const known: KnownTerm[] = []
  const absent: string[] = []
  for (const given of await rankedTerms(asked)) {
    const before = known.length
    for (const term of loosened(given)) {
      const find = createTermFinder(term)
      const { rows, isCut } = await readWith(storeTerms(term))
      const matching = rows.filter(({ text }) => find(text, 0) !== null)
      // If there is no match, try the term as the beginning of a word, then as a part of one.
      if (matching.length === 0 && !isCut) continue
      for (const row of matching) found.set(row.number, row)
      const span = isCut ? last - (rows.at(-1)?.number ?? first) + 1 : last - first + 1
      known.push({ term, find, frequency: (matching.length * (last - first + 1)) / span })
      isWhole &&= !isCut
      break
    }
    if (known.length === before) absent.push(given.text)
  }
  if (!isWhole) {
    const rarest = known.toSorted((one, other) => one.frequency - other.frequency).slice(0, PAIRED_TERMS)
    const pairs = rarest.flatMap((one, index) => rarest.slice(index + 1).map((other) => [one, other]))
    for (const together of [known, ...pairs])
      for (const row of (await readWith(...together.map(({ term }) => storeTerms(term)))).rows)
        found.set(row.number, row)
  }
  const messages = scoreAll([...found.values()], known, asked, last - first + 1)
    .filter(({ row }) => accepts(row) && !isEcho(row, asked))
    .sort((one, other) => other.score - one.score || other.row.number - one.row.number)
  const shown = new Map(messages.toReversed().map((one) => [one.stretch, one]))
  return {
    messages: messages.filter((one) => shown.get(one.stretch) === one),
    matched: KINDS.find((kind) => known.some(({ term }) => term.kind === kind)) ?? 'word',
    absent,
    isWhole,
  }
}

function loosened(term: QueryTerm): readonly QueryTerm[] {
  if (term.kind === 'word') return [term, ...asPrefixes([term]), ...asSubstrings([term])]
  return term.kind === 'prefix' || term.quoted ? [term, ...asSubstrings([term])] : [term]
}

async function rankedTerms(query: string): Promise<readonly QueryTerm[]> {
  const given = parseQuery(query)
  const asked = given.filter(({ kind, quoted }) => quoted === true || kind === 'prefix')
  const free = given.filter((term) => !asked.includes(term)).map(({ text }) => text)
  return withForms(distinctTerms([...asked, ...questionTerms(free.join(' '))]))
}

/** Detects an earlier search for this query, or a result that shows one: it shares every word and answers nothing. */
function isEcho({ role, text }: Candidate, query: string): boolean {
  return (
    (role === 'assistant' || role === 'tool') && plainJson(text).includes(plainJson(`"query":"${query}"`))
  )
}

/** JSON may have spaces after its colons, and escapes inside the results of tools. */
function plainJson(json: string): string {
  return json.replaceAll('\\', '').replaceAll('": "', '":"').toLowerCase()
}

interface Scored extends RankedMessage {
  readonly score: number
  readonly stretch: string
}

function scoreAll(
  rows: readonly Candidate[],
  known: readonly KnownTerm[],
  query: string,
  size: number,
): readonly Scored[] {
  const weights = known.map(({ frequency }) =>
    Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5)),
  )
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const found = new Map(rows.map((row) => [row.number, findTerms(row.text, known)]))
  return rows.map((row): Scored => {
    const spans = found.get(row.number) ?? []
    const { start, end, score } = bestStretch(spans, weights)
    const inside = (span: Span) => span.start >= start && span.end <= end
    const near = known.map((_, term) => {
      if (spans.some((span) => span.term === term && inside(span))) return 0
      const shares = NEIGHBOUR_SHARES.map((share, index) =>
        [row.number - index - 1, row.number + index + 1].some((number) =>
          found.get(number)?.some((span) => span.term === term),
        )
          ? share
          : 0,
      )
      return Math.max(...shares) * (weights[term] ?? 0)
    })
    const isPhrase = known.length > 1 && row.text.toLowerCase().includes(query.toLowerCase())
    return {
      row,
      match: { count: spans.length, start, end },
      score: score + near.reduce((sum, one) => sum + one, 0) + (isPhrase ? all : 0),
      stretch: cutAround(row.text, { start, end }, PASSAGE_CHARACTERS),
    }
  })
}

interface TermSpan extends Span {
  readonly term: number
  readonly isExact: boolean
}

function findTerms(text: string, known: readonly KnownTerm[]): readonly TermSpan[] {
  const spans = known.flatMap(({ find, term: { text: wanted } }, term) => {
    const own: TermSpan[] = []
    for (let at = find(text, 0); at !== null && own.length < MAX_SPANS; at = find(text, at.end))
      own.push({ ...at, term, isExact: text.slice(at.start, at.end).toLowerCase() === wanted.toLowerCase() })
    return own
  })
  return spans.sort((one, other) => one.start - other.start)
}

function bestStretch(
  spans: readonly TermSpan[],
  weights: readonly number[],
): Span & { readonly score: number } {
  let best = { start: 0, end: 0, score: 0 }
  for (const [from, first] of spans.entries()) {
    const counts = weights.map(() => 0)
    let sum = 0
    let previous: TermSpan | undefined
    for (const span of spans.slice(from)) {
      if (span.end - first.start > PASSAGE_CHARACTERS) break
      const [before, weight] = [counts[span.term] ?? 0, weights[span.term] ?? 0]
      const count = before + (span.isExact ? 1 : FORM_SHARE)
      counts[span.term] = count
      sum += weight * (saturated(count) - saturated(before))
      if (previous?.term === span.term - 1 && span.start - previous.end <= BESIDE_CHARACTERS)
        sum += PHRASE_SHARE * Math.min(weight, weights[previous.term] ?? 0)
      const score = sum * (1 - (CLOSENESS_SHARE * (span.end - first.start)) / PASSAGE_CHARACTERS)
      if (score > best.score) best = { start: first.start, end: span.end, score }
      previous = span
    }
  }
  return best
}

function saturated(count: number): number {
  return (count * (K1 + 1)) / (count + K1)
}
