import type { CandidateQuery, MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { createTermMatcher } from './find-term.ts'
import type { QuestionTerm } from './question-terms.ts'
import type { ReadMessages } from './read-once.ts'

/** A range of so few messages is read whole. */
const WHOLE_RANGE = 200
/** Messages that are read for a term, the newest; and the oldest, when there are more. */
const NEWEST = 40
const OLDEST = 20
/** The rarest terms, which are looked for together too: all of them, all but one, and in pairs. */
const JOINED_TERMS = 6
const JOINED_MESSAGES = 40

export interface CandidatesInput {
  readonly terms: readonly QuestionTerm[]
  /** All that is weighed: the terms, and behind them exact words of some of them. */
  readonly wanted: readonly SearchTerm[]
  readonly range: SeqRange
  readonly includeReplaced: boolean
}

/** Messages that are weighed for a question. */
export interface PassageCandidates {
  readonly messages: readonly MessageCandidate[]
  /** One for each wanted term. */
  readonly samples: readonly Sample[]
  /** Every message that holds a term is among them. */
  readonly isWhole: boolean
}

/** Messages in which the answer to a question may stand: a bounded number, whatever the length of the session. */
export async function passageCandidates(
  readMessages: ReadMessages,
  { terms, wanted, range, includeReplaced }: CandidatesInput,
): Promise<PassageCandidates> {
  const size = range.last - range.first + 1
  if (size <= 0) return { messages: [], samples: [], isWhole: true }
  const found = new Map<number, MessageCandidate>()
  const read = async (query: Pick<CandidateQuery, 'where' | 'order' | 'limit'>) => {
    const rows = await readMessages({ ...range, ...query, includeReplaced })
    for (const row of rows) found.set(row.seq, row)
    return rows
  }
  let isWhole = size <= WHOLE_RANGE
  if (isWhole) await read({ where: [], order: 'oldest', limit: WHOLE_RANGE })
  let isCut = false
  const sampleOnce = async (list: readonly SearchTerm[]): Promise<Sample> => {
    const newest = await read({ where: [list], order: 'newest', limit: NEWEST })
    const isFull = newest.length === NEWEST
    const span = range.last - (newest.at(-1)?.seq ?? range.last) + 1
    // An index may be coarser than the term.
    const matches = createTermMatcher([list])
    const matching = newest.filter(({ text }) => matches(text)).length
    return { list, isFull, frequency: isFull ? Math.round((matching * size) / span) : matching }
  }
  const known = new Map<string, Promise<Sample>>()
  const sample = (list: readonly SearchTerm[]): Promise<Sample> => {
    const key = JSON.stringify(list)
    const found = known.get(key) ?? sampleOnce(list)
    known.set(key, found)
    return found
  }
  const samples: Sample[] = []
  for (const [index, term] of wanted.entries()) {
    const words = wordsOf(terms[index])
    const common = words && (await sample(words))
    samples.push(common?.isFull ? common : await sample([term]))
  }
  for (const { list } of new Set(samples.filter(({ isFull }) => isFull))) {
    isCut = true
    await read({ where: [list], order: 'oldest', limit: OLDEST })
  }
  const rarest = samples
    .slice(0, terms.length)
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .slice(0, JOINED_TERMS)
  if (isCut && !isWhole)
    for (const group of joined(rarest))
      await read({ where: group.map(({ list }) => list), order: 'newest', limit: JOINED_MESSAGES })
  isWhole ||= !isCut
  return {
    messages: [...found.values()].sort((a, b) => a.seq - b.seq),
    samples,
    isWhole,
  }
}

/** Messages that hold one of some terms, as far as a look at the newest tells. */
interface Sample {
  readonly list: readonly SearchTerm[]
  /** There may be more than were looked at. */
  readonly isFull: boolean
  /** Messages that hold one of them: counted where few do, else estimated from how close they stand. */
  readonly frequency: number
}

/**
 * The word of a question and its stem. Where these are common they do for all words that begin so: an index reads all of those
 * before it knows the first message, however many there are.
 */
function wordsOf(term: QuestionTerm | undefined): readonly SearchTerm[] | undefined {
  if (term?.exact === undefined) return undefined
  return [...new Set([term.exact, term.text])].map((text) => ({ kind: 'word', text }))
}

/** All terms, all but one of them, and each two. */
function joined<Term>(terms: readonly Term[]): readonly (readonly Term[])[] {
  const groups = [terms, ...terms.map((_, index) => terms.toSpliced(index, 1))]
  const pairs = terms.flatMap((a, index) => terms.slice(index + 1).map((b) => [a, b]))
  const larger = groups.filter(({ length }) => length > 2)
  return [...larger, ...pairs]
}
