import { randomUUID } from 'node:crypto'
import type { PostgresOptions } from '../postgres-options.ts'
import { RETRY_TOOLS, type RetryTools } from './backoff.ts'
import type { DatabaseFormat } from './database-format.ts'
import { NoConnection } from './lost-connection.ts'
import { prepareSchema } from './prepare-schema.ts'
import { receiptStatement, wasReceived } from './receipts.ts'
import { resolveOptions } from './resolve-options.ts'
import { type Attempts, retryTransaction } from './retry-transaction.ts'
import type { Sql } from './sql.ts'
import { runTransaction } from './transaction.ts'
import type { TransactionSettings } from './transaction-settings.ts'

export type Work<T> = (sql: Sql) => Promise<T>

export interface TransactionScope {
  /** Whose data, as it is stored; undefined for everybody's. */
  readonly principal?: string | undefined
  /**
   * The number of the session that work locks and writes to. Its row then tells whether a commit took place of which
   * no answer came. Without it, work must be such that doing it twice is doing it once.
   */
  readonly session?: number
}

/** Transactions on a pool of connections. Work may be done several times, until it is done once. */
export interface Database {
  /** For people: host, port, database and schema, without secrets. */
  readonly location: string
  /** Reads on one snapshot. */
  read<T>(scope: TransactionScope, work: Work<T>): Promise<T>
  /** Durable when the promise resolves. */
  write<T>(scope: TransactionScope, work: Work<T>): Promise<T>
  /** Writes with work that cannot be done twice, and that may take its time. */
  writeOnce<T>(scope: TransactionScope, work: Work<T>): Promise<T>
  /** Idempotent. */
  close(): Promise<void>
}

/** All methods reject with errors of the format. The first call connects, and makes the tables. */
export function createDatabase(
  options: PostgresOptions,
  format: DatabaseFormat,
  tools: RetryTools = RETRY_TOOLS,
): Database {
  const { pool, end, location, schema, statementTimeout, migrate, rowSecurity } = resolveOptions(options)
  let prepared: Promise<void> | undefined
  let ended: Promise<void> | undefined

  const transact = async <T>(settings: Partial<TransactionSettings>, work: Work<T>, receipt?: string) => {
    if (ended !== undefined) throw format.error('STORE_CLOSED', 'the store was closed; open it again')
    const client = await pool.connect().catch((error: unknown) => {
      throw new NoConnection(error)
    })
    return runTransaction(client, { mode: 'write', schema, statementTimeout, ...settings }, work, receipt)
  }
  const retry = <T>(attempts: Attempts<T>): Promise<T> =>
    retryTransaction(attempts, { format, location, tools })

  const prepare = async (): Promise<void> => {
    prepared ??= retry({
      run: () => prepareSchema(transact, { format, location, schema, migrate, rowSecurity }),
    })
    try {
      await prepared
    } catch (error) {
      prepared = undefined
      throw error
    }
  }
  const principalOf = ({ principal = '' }: TransactionScope) => (rowSecurity ? { principal } : {})

  return {
    location,
    async read(scope, work) {
      await prepare()
      return retry({ run: () => transact({ mode: 'read', ...principalOf(scope) }, work) })
    },
    async write(scope, work) {
      await prepare()
      const settings = principalOf(scope)
      const { session } = scope
      if (session === undefined) return retry({ run: () => transact(settings, work) })
      const receipt = { session, id: randomUUID() }
      let done: { readonly result: Awaited<ReturnType<typeof work>> } | undefined
      return retry({
        run: () =>
          transact(
            settings,
            async (sql) => {
              const result = await work(sql)
              done = { result }
              return result
            },
            receiptStatement(format, receipt),
          ),
        settle: () =>
          transact(settings, async (sql) => ((await wasReceived(sql, format, receipt)) ? done : undefined)),
      })
    },
    async writeOnce(scope, work) {
      await prepare()
      return retry({ run: () => transact({ statementTimeout: 0, ...principalOf(scope) }, work), maxTries: 1 })
    },
    async close() {
      ended ??= end()
      await ended
    },
  }
}
