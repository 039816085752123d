import type { CandidateQuery, MessageCandidate } from '../store/candidate-query.ts'

export type ReadMessages = (query: CandidateQuery) => Promise<readonly MessageCandidate[]>

/** Characters of messages that are kept for one search. */
const KEPT_CHARACTERS = 8_000_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const ASCII = /^[\u0000-\u007f]*$/

/** The first rows that may match, and whether there are no others. */
interface List {
  readonly rows: readonly MessageCandidate[]
  readonly isWhole: boolean
}

/**
 * Reads for one search, which asks for the same terms again and again, alone and together. What lists tell that were read
 * before is not read again.
 */
export function readOnce(read: ReadMessages): ReadMessages {
  const lists = new Map<string, List>()
  const known = new Map<number, MessageCandidate>()
  let room = KEPT_CHARACTERS
  return async (query) => {
    const { where, first, last, order, limit, includeReplaced } = query
    const keyOf = (where: CandidateQuery['where']): string => {
      const key = JSON.stringify([where, first, last, order, includeReplaced])
      return ASCII.test(key) ? key.toLowerCase() : key
    }
    const key = keyOf(where)
    const listsOf = () => where.map((terms) => lists.get(keyOf([terms])))
    const list = lists.get(key) ?? (where.length > 1 ? inAll(listsOf(), order) : undefined)
    if (list?.isWhole || (list !== undefined && limit <= list.rows.length)) return list.rows.slice(0, limit)
    const rows = await read({ ...query, known })
    room -= rows.reduce((sum, { text }) => sum + text.length, 0)
    if (room < 0) return rows
    lists.set(key, { rows, isWhole: rows.length < limit })
    for (const row of rows) known.set(row.seq, row)
    return rows
  }
}

/** The rows that stand in all lists, as far as all of them reach; undefined when one is not known. */
function inAll(given: readonly (List | undefined)[], order: CandidateQuery['order']): List | undefined {
  const lists = given.filter((list) => list !== undefined)
  if (lists.length < given.length) return undefined
  const sign = order === 'newest' ? -1 : 1
  const ends = lists.map(({ rows, isWhole }) =>
    isWhole ? Number.POSITIVE_INFINITY : sign * (rows.at(-1)?.seq ?? 0),
  )
  const end = Math.min(...ends)
  const [rows = [], ...others] = lists.map((list) => list.rows)
  const sets = others.map((other) => new Set(other.map(({ seq }) => seq)))
  const shared = rows.filter((row) => sign * row.seq <= end && sets.every((set) => set.has(row.seq)))
  return { rows: shared, isWhole: end === Number.POSITIVE_INFINITY }
}
