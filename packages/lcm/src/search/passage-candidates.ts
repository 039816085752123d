import type { CandidateQuery, MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'

/** A range of so few messages is read whole. */
const WHOLE_RANGE = 200
/** Messages that are read for a term, the newest; and the oldest, when there are more. */
const NEWEST = 40
const OLDEST = 20
/** The rarest terms, whose pairs are looked for too: messages in which they stand together. */
const PAIRED_TERMS = 6
const PAIR_MESSAGES = 20

/** What is weighed for a question. */
export interface PassageCandidates {
  readonly messages: readonly MessageCandidate[]
  /** How many messages hold each term: counted where few do, else estimated from how close they stand. */
  readonly frequencies: readonly number[]
}

/** Messages in which the answer to a question may stand: a bounded number, whatever the length of the session. */
export async function passageCandidates(
  session: LcmSession,
  terms: readonly SearchTerm[],
  range: SeqRange,
): Promise<PassageCandidates> {
  const size = range.last - range.first + 1
  if (size <= 0) return { messages: [], frequencies: terms.map(() => 0) }
  const found = new Map<number, MessageCandidate>()
  const read = async (query: Pick<CandidateQuery, 'where' | 'order' | 'limit'>) => {
    const rows = await session.candidates({ ...range, ...query })
    for (const row of rows) found.set(row.seq, row)
    return rows
  }
  if (size <= WHOLE_RANGE) await read({ where: [], order: 'oldest', limit: WHOLE_RANGE })
  const frequencies: number[] = []
  for (const term of terms) {
    const newest = await read({ where: [[term]], order: 'newest', limit: NEWEST })
    const full = newest.length === NEWEST
    if (full) await read({ where: [[term]], order: 'oldest', limit: OLDEST })
    const span = range.last - (newest.at(-1)?.seq ?? range.last) + 1
    frequencies.push(full ? Math.round((NEWEST * size) / span) : newest.length)
  }
  if (terms.length > 1) {
    const rarest = terms
      .map((term, index) => ({ term, frequency: frequencies[index] ?? 0, index }))
      .filter(({ frequency }) => frequency > 0)
      .sort((a, b) => a.frequency - b.frequency || a.index - b.index)
      .slice(0, PAIRED_TERMS)
    for (const [index, a] of rarest.entries()) {
      for (const b of rarest.slice(index + 1)) {
        if (isSameWord(a.term, b.term)) continue
        await read({ where: [[a.term], [b.term]], order: 'newest', limit: PAIR_MESSAGES })
      }
    }
  }
  return { messages: [...found.values()].sort((a, b) => a.seq - b.seq), frequencies }
}

/** True for a word and its own beginning: they stand together everywhere. */
function isSameWord(a: SearchTerm, b: SearchTerm): boolean {
  return (
    (a.kind === 'prefix' && b.text.startsWith(a.text)) || (b.kind === 'prefix' && a.text.startsWith(b.text))
  )
}
