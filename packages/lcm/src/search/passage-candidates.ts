import type { CandidateQuery, MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import { createTermFinder } from './find-term.ts'

/** A range of so few messages is read whole. */
const WHOLE_RANGE = 200
/** Messages that are read for a term, the newest; and the oldest, when there are more. */
const NEWEST = 40
const OLDEST = 20
/** The rarest terms, which are looked for together too: all of them, all but one, and in pairs. */
const JOINED_TERMS = 6
const JOINED_MESSAGES = 40

export interface CandidatesInput {
  readonly terms: readonly SearchTerm[]
  /** All that is weighed: the terms, and exact words of some of them. */
  readonly wanted: readonly SearchTerm[]
  readonly range: SeqRange
  readonly includeReplaced: boolean
}

/** Messages that are weighed for a question. */
export interface PassageCandidates {
  readonly messages: readonly MessageCandidate[]
  /** Messages that hold each wanted term: counted where few do, else estimated from how close they stand. */
  readonly frequencies: readonly number[]
  /** Every message that holds a term is among them. */
  readonly isWhole: boolean
}

/** Messages in which the answer to a question may stand: a bounded number, whatever the length of the session. */
export async function passageCandidates(
  session: LcmSession,
  { terms, wanted, range, includeReplaced }: CandidatesInput,
): Promise<PassageCandidates> {
  const size = range.last - range.first + 1
  if (size <= 0) return { messages: [], frequencies: wanted.map(() => 0), isWhole: true }
  const found = new Map<number, MessageCandidate>()
  const read = async (query: Pick<CandidateQuery, 'where' | 'order' | 'limit'>) => {
    const rows = await session.candidates({ ...range, ...query, includeReplaced })
    for (const row of rows) found.set(row.seq, row)
    return rows
  }
  let isWhole = size <= WHOLE_RANGE
  if (isWhole) await read({ where: [], order: 'oldest', limit: WHOLE_RANGE })
  let isCut = false
  const frequencies = new Map<SearchTerm, number>()
  for (const term of new Set([...wanted, ...terms])) {
    const newest = await read({ where: [[term]], order: 'newest', limit: NEWEST })
    const full = newest.length === NEWEST
    if (full) await read({ where: [[term]], order: 'oldest', limit: OLDEST })
    const span = range.last - (newest.at(-1)?.seq ?? range.last) + 1
    // An index may be coarser than the term.
    const find = createTermFinder(term)
    const matching = newest.filter(({ text }) => find(text, 0) !== null).length
    frequencies.set(term, full ? Math.round((matching * size) / span) : matching)
    isCut ||= full
  }
  const frequencyOf = (term: SearchTerm): number => frequencies.get(term) ?? 0
  const rarest = terms
    .filter((term) => frequencyOf(term) > 0)
    .sort((a, b) => frequencyOf(a) - frequencyOf(b))
    .slice(0, JOINED_TERMS)
  if (isCut && !isWhole)
    for (const group of joined(rarest))
      await read({ where: group.map((term) => [term]), order: 'newest', limit: JOINED_MESSAGES })
  isWhole ||= !isCut
  return {
    messages: [...found.values()].sort((a, b) => a.seq - b.seq),
    frequencies: wanted.map(frequencyOf),
    isWhole,
  }
}

/** All terms, all but one of them, and each two. */
function joined(terms: readonly SearchTerm[]): readonly (readonly SearchTerm[])[] {
  const groups = [terms, ...terms.map((_, index) => terms.toSpliced(index, 1))]
  const pairs = terms.flatMap((a, index) => terms.slice(index + 1).map((b) => [a, b]))
  const larger = groups.filter(({ length }) => length > 2)
  return [...larger, ...pairs]
}
