import type { Summary } from '@palimpsest/core'
import type { Sql } from './database.ts'
import { StoreError } from './errors.ts'
import { idOf, numberOf, ROWS_PER_SESSION } from './rows.ts'

/**
 * A list of summaries must be one run of live messages, from the first that is not an instruction.
 *
 * @throws StoreError `INVALID_FRONTIER`
 */
export async function checkFrontier(
  sql: Sql,
  session: number,
  summaries: readonly number[],
  known: ReadonlyMap<number, Pick<Summary, 'first' | 'last' | 'messages'>>,
): Promise<void> {
  if (summaries.length === 0) return
  const end = idOf(session, ROWS_PER_SESSION - 1)
  const live = 'FROM message WHERE id BETWEEN ? AND ? AND replaced IS NULL'
  const nextOf = async (from: number, more = '') => {
    const [row] = await sql.all<{ id: number | null }>(`SELECT min(id) AS id ${live} ${more}`, [from, end])
    return row?.id ?? undefined
  }
  let next = await nextOf(idOf(session, 0), "AND role NOT IN ('system', 'developer')")
  for (const number of summaries) {
    const summary = known.get(number)
    if (summary === undefined) throw invalid(`there is no s${number}`)
    const { first, last, messages } = summary
    const [from, to] = [idOf(session, first), idOf(session, last)]
    if (next !== from)
      throw invalid(
        `s${number} begins at m${first}, and ${next === undefined ? 'nothing' : `m${numberOf(next)}`} is next`,
      )
    const query = `SELECT count(*) AS messages, max(id) AS last ${live}`
    const [run] = await sql.all<{ messages: number; last: number | null }>(query, [from, to])
    if (run?.last !== to || run.messages !== messages)
      throw invalid(`s${number} does not cover m${first} to m${last} as they are now`)
    next = await nextOf(to + 1)
  }
}

/**
 * The summaries that remain if messages from `seq` on are removed. A condensed summary across that point is replaced by
 * its children.
 *
 * @param read Reads summaries in the given order.
 */
export async function cutFrontier(
  summaries: readonly Summary[],
  seq: number,
  read: (numbers: readonly number[]) => Promise<readonly Summary[]>,
): Promise<Summary[]> {
  const end = summaries.findIndex(({ last }) => last >= seq)
  const across = summaries[end]
  if (across === undefined) return [...summaries]
  const kept = summaries.slice(0, end)
  if (across.first >= seq) return kept
  return [...kept, ...(await cutFrontier(await read(across.children), seq, read))]
}

export function checkNewSummaries(
  create: readonly Pick<Summary, 'number' | 'children'>[],
  next: number,
  known: ReadonlyMap<number, unknown>,
): void {
  for (const [index, { number, children }] of create.entries()) {
    if (number !== next + index)
      throw invalid(`the next summary has the number ${next + index}, not ${number}`)
    const missing = children.find((child) => child >= number || !known.has(child))
    if (missing !== undefined) throw invalid(`s${number} condenses s${missing}, which is not there before it`)
  }
}

function invalid(reason: string): StoreError {
  return new StoreError('INVALID_FRONTIER', `${reason}; a frontier is an unbroken run of the conversation`)
}
