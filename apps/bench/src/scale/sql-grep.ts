import { type Client, escapeIdentifier } from 'pg'
import type { GrepCase } from './grep-cases.ts'
import { PRINCIPAL } from './scale-workload.ts'

/** Searches as one writes them by hand for the tables of a store. `session` undefined: in all of the principal's. */
export interface SqlGrep {
  /** The number of a session by its key. */
  find(key: string): Promise<string>
  /** How many hits a page has. */
  search(grepCase: GrepCase, session: string | undefined, limit: number): Promise<number>
  /** Pages of 8 KB that this touches. */
  pages(grepCase: GrepCase, session: string | undefined, limit: number): Promise<number>
}

/** `schema`: where the tables are. */
export function createSqlGrep(client: Client, schema: string): SqlGrep {
  const table = (name: string) => `${escapeIdentifier(schema)}.${name}`
  const ask = async (grepCase: GrepCase, session: string | undefined, limit: number, explain = '') => {
    // With a sum in it, the server cannot walk along the primary key until it has enough: for rare things that is slow.
    const order = grepCase.isRare ? 'session + 0, seq DESC' : 'session, seq DESC'
    const whose = session === undefined ? 'principal = $2' : 'session = $2'
    const { rows } = await client.query(
      `${explain} SELECT session, seq, role, at, text FROM ${table('lcm_message')}
       WHERE ${grepCase.condition} AND ${whose} ORDER BY ${order} LIMIT ${limit}`,
      [grepCase.value, session ?? PRINCIPAL],
    )
    return rows
  }
  return {
    async find(key) {
      const { rows } = await client.query(`SELECT no FROM ${table('lcm_session')} WHERE key = $1`, [key])
      return rows[0].no
    },
    search: async (...asked) => (await ask(...asked)).length,
    async pages(...asked) {
      const [row] = await ask(...asked, 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)')
      return touchedPages(row['QUERY PLAN'][0].Plan)
    },
  }
}

/** Pages that a plan found in the cache or read. */
export function touchedPages(plan: Record<string, number>): number {
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}
