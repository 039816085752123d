import { type Client, escapeIdentifier, type QueryResultRow } from 'pg'
import type { GrepCase } from './grep-cases.ts'
import { PRINCIPAL } from './scale-workload.ts'

/** Statements as one would write them by hand for the tables of a schema: what floors are measured with. */
export function createSqlFloor(client: Client, schema: string) {
  const table = (name: string) => `${escapeIdentifier(schema)}.${name}`
  return {
    async find(key: string): Promise<string> {
      const { rows } = await client.query(`SELECT no FROM ${table('lcm_session')} WHERE key = $1`, [key])
      return rows[0].no
    },
    async rows(session: string, first: number): Promise<QueryResultRow[]> {
      const query = `SELECT * FROM ${table('lcm_message')} WHERE session = $1 AND seq >= $2 ORDER BY seq`
      return (await client.query(query, [session, first])).rows
    },
    /** Puts rows behind the last message of a session: one transaction, of four statements. */
    async append(session: string, rows: readonly QueryResultRow[]): Promise<void> {
      await client.query('BEGIN')
      const { rows: heads } = await client.query(
        `UPDATE ${table('lcm_session')} SET next_seq = next_seq + $2, last_at = $3 WHERE no = $1 RETURNING next_seq`,
        [session, rows.length, rows.at(-1)?.at],
      )
      const first = heads[0].next_seq - rows.length
      const columns = Object.keys(rows[0] ?? {})
      const values = rows.flatMap((row, index) => Object.values({ ...row, session, seq: first + index }))
      const lines = rows.map(
        (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`,
      )
      await client.query(`INSERT INTO ${table('lcm_message')} (${columns}) VALUES ${lines}`, values)
      await client.query('COMMIT')
    },
    async search(grepCase: GrepCase, session: string | undefined, limit: number): Promise<number> {
      // With a sum in it, the server cannot walk along the primary key until it has enough: for rare things that is slow.
      const order = grepCase.isRare ? 'session + 0, seq DESC' : 'session, seq DESC'
      const whose = session === undefined ? 'principal = $2' : 'session = $2'
      const { rows } = await client.query(
        `SELECT session, seq, role, at, text FROM ${table('lcm_message')}
         WHERE ${grepCase.condition} AND ${whose} ORDER BY ${order} LIMIT ${limit}`,
        [grepCase.value, session ?? PRINCIPAL],
      )
      return rows.length
    },
  }
}
