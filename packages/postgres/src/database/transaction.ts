import {
  DatabaseError,
  escapeIdentifier,
  escapeLiteral,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg'
import { asLostConnection, LostConnection } from './lost-connection.ts'
import { type Sql, type SqlValue, TYPES } from './sql.ts'

/** What holds within one transaction. No setting outlives it: the connection may be another session's next. */
export interface TransactionSettings {
  readonly mode: 'read' | 'write'
  readonly schema: string
  /** Milliseconds; 0: no limit. */
  readonly statementTimeout: number
  /** Whose data it is about, for row-level security. */
  readonly principal?: string | undefined
}

/** How much longer than the server a client waits for an answer, in milliseconds: then the connection is dead. */
export const SPARE_TIME = 10_000

/** A server takes the commit of a transaction with a failed statement for a rollback, and calls that no error. */
const UNDONE = 'nothing was written: the work of a transaction went on behind a statement that had failed'

/** What became of a transaction that failed. */
export class TransactionFailure extends Error {
  /** True when the server was told to commit: it may have done so. */
  readonly committing: boolean

  constructor(committing: boolean, cause: unknown) {
    super('the transaction failed', { cause })
    this.committing = committing
  }
}

/**
 * Does work as one transaction: all of it, or nothing. Reading goes on one snapshot. Gives the connection back, or
 * closes it when it broke.
 *
 * @param receipt A statement without values that is sent along with the commit.
 * @throws TransactionFailure
 */
export async function runTransaction<T>(
  client: PoolClient,
  settings: TransactionSettings,
  work: (sql: Sql) => Promise<T>,
  receipt = '',
): Promise<T> {
  let committing = false
  let broken = false
  // Without a listener, a connection that breaks between two statements would end the process.
  const onError = (): void => {
    broken = true
  }
  client.on('error', onError)
  try {
    const query = createQuery(client, settings)
    await query(beginText(settings))
    const result = await work(createSql(query))
    committing = true
    // Of several statements, `pg` gives a list of results.
    const ended = [await query(`${receipt}COMMIT`)].flat().at(-1)
    if (ended?.command !== 'COMMIT') throw new Error(UNDONE)
    return result
  } catch (error) {
    broken ||= error instanceof LostConnection
    if (!broken)
      broken = await client.query('ROLLBACK').then(
        () => false,
        () => true,
      )
    throw new TransactionFailure(committing && error instanceof LostConnection, error)
  } finally {
    // A broken connection may complain once more while it is closed.
    if (!broken) client.off('error', onError)
    client.release(broken)
  }
}

function beginText({ mode, schema, statementTimeout, principal }: TransactionSettings): string {
  const isolation = mode === 'read' ? 'REPEATABLE READ READ ONLY' : 'READ COMMITTED'
  const settings: Record<string, string> = {
    // Nothing of the session's own: neither its tables nor its functions are taken for ours.
    search_path: `${escapeIdentifier(schema)}, pg_temp`,
    statement_timeout: String(statementTimeout),
    // A worker that stops in the middle does not keep the others waiting for longer.
    idle_in_transaction_session_timeout: String(statementTimeout),
    // Compiling takes longer than any of our statements.
    jit: 'off',
    ...(principal !== undefined && { 'palimpsest.principal': escapeLiteral(principal) }),
  }
  const lines = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  return [`BEGIN ISOLATION LEVEL ${isolation}`, ...lines].join('; ')
}

/** What `pg` takes, and its types do not know. */
interface LimitedQuery extends QueryConfig<SqlValue[]> {
  /** Milliseconds; 0: no limit. */
  readonly query_timeout: number
}

/** Sends a statement with values, or a text of one or several statements without. */
type Query = (text: string, values?: readonly SqlValue[]) => Promise<QueryResult>

function createQuery(client: PoolClient, { statementTimeout }: TransactionSettings): Query {
  const timeout = statementTimeout === 0 ? 0 : statementTimeout + SPARE_TIME
  return async (text, values) => {
    const limited: LimitedQuery = { text, types: TYPES, query_timeout: timeout }
    if (values !== undefined) limited.values = [...values]
    try {
      return await client.query(limited)
    } catch (error) {
      throw asLostConnection(error)
    }
  }
}

function createSql(query: Query): Sql {
  return {
    all: async (text, ...values) => (await query(text, values)).rows,
    get: async (text, ...values) => (await query(text, values)).rows[0],
    run: async (text, ...values) => (await query(text, values)).rowCount ?? 0,
    async script(statements) {
      await query(statements)
    },
  }
}

/** True for a transaction that others got in the way of: the server has undone it, and it may go better next time. */
export function isContention(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}
