import { escapeIdentifier, type PoolClient, type QueryResultRow } from 'pg'

/** Statements as one would write them by hand for the tables of a store: what a floor is measured with. */
export interface SqlTurns {
  /** The number of a session by its key. */
  find(key: string): Promise<string>
  /** The rows of messages from a number on. */
  rows(session: string, first: number): Promise<QueryResultRow[]>
  /** Puts rows behind the last message of a session: one transaction, of four statements. */
  append(session: string, rows: readonly QueryResultRow[]): Promise<void>
}

/** `schema`: where the tables are. */
export function createSqlTurns(client: Pick<PoolClient, 'query'>, schema: string): SqlTurns {
  const table = (name: string) => `${escapeIdentifier(schema)}.${name}`
  return {
    async find(key) {
      const { rows } = await client.query(`SELECT no FROM ${table('lcm_session')} WHERE key = $1`, [key])
      return rows[0].no
    },
    async rows(session, first) {
      const query = `SELECT * FROM ${table('lcm_message')} WHERE session = $1 AND seq >= $2 ORDER BY seq`
      return (await client.query(query, [session, first])).rows
    },
    async append(session, rows) {
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
  }
}
