import type { CandidateQuery, MessageCandidate } from '../store/candidate-query.ts'

export type ReadMessages = (query: CandidateQuery) => Promise<readonly MessageCandidate[]>

/** Characters of messages that are kept for one search. */
const KEPT_CHARACTERS = 8_000_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
const ASCII = /^[\u0000-\u007f]*$/

/** Reads for one search, which asks for the same terms again and again: what a longer list holds is not read again. */
export function readOnce(read: ReadMessages): ReadMessages {
  const lists = new Map<string, { readonly rows: readonly MessageCandidate[]; readonly limit: number }>()
  const known = new Map<number, MessageCandidate>()
  let room = KEPT_CHARACTERS
  return async (query) => {
    const { where, first, last, order, limit, includeReplaced } = query
    const asked = JSON.stringify([where, first, last, order, includeReplaced])
    const key = ASCII.test(asked) ? asked.toLowerCase() : asked
    const list = lists.get(key)
    if (list !== undefined && (limit <= list.limit || list.rows.length < list.limit))
      return list.rows.slice(0, limit)
    const rows = await read({ ...query, known })
    room -= rows.reduce((sum, { text }) => sum + text.length, 0)
    if (room < 0) return rows
    lists.set(key, { rows, limit })
    for (const row of rows) known.set(row.seq, row)
    return rows
  }
}
