import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { asLostConnection } from './lost-connection.ts'
import { type SqlValue, TYPES } from './sql.ts'

/** The time that a client waits longer than the server, in milliseconds: then the connection is dead. */
export const SPARE_TIME = 10_000

/** Options that `pg` takes, and its types do not know. */
interface LimitedQuery extends QueryConfig<SqlValue[]> {
  /** Milliseconds; 0: no limit. */
  readonly query_timeout: number
}

/**
 * Sends a statement with values, or a text of one or several statements without. Resolves to the result of the last
 * one.
 *
 * @throws LostConnection and the errors of the server.
 */
export type Send = (text: string, values?: readonly SqlValue[]) => Promise<QueryResult | undefined>

/** `statementTimeout`: what the server is told, in milliseconds; 0: no limit. */
export function createSend(client: PoolClient, statementTimeout: number): Send {
  const timeout = statementTimeout === 0 ? 0 : statementTimeout + SPARE_TIME
  return async (text, values = []) => {
    const query: LimitedQuery = { text, values: [...values], types: TYPES, query_timeout: timeout }
    try {
      // Of several statements, `pg` gives a list of results.
      return [await client.query(query)].flat().at(-1)
    } catch (error) {
      throw asLostConnection(error)
    }
  }
}
