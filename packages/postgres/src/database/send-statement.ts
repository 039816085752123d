import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { asLostConnection } from './lost-connection.ts'
import { type SqlValue, TYPES } from './sql.ts'

/** Additional time that the client waits after the server's limit, in milliseconds; then the connection is dead. */
export const SPARE_TIME = 10_000

interface LimitedQuery extends QueryConfig<SqlValue[]> {
  readonly query_timeout: number
}

export type Send = (text: string, values?: readonly SqlValue[]) => Promise<QueryResult | undefined>

export function createSend(client: PoolClient, statementTimeout: number): Send {
  const timeout = statementTimeout === 0 ? 0 : statementTimeout + SPARE_TIME
  return async (text, values = []) => {
    const query: LimitedQuery = { text, values: [...values], types: TYPES, query_timeout: timeout }
    try {
      return [await client.query(query)].flat().at(-1)
    } catch (error) {
      throw asLostConnection(error)
    }
  }
}
