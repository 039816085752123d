import { randomUUID } from 'node:crypto'
import type { PostgresOptions } from '../postgres-options.ts'
import { MAX_TRIES, pauseAfter, RETRY_TOOLS, type RetryTools } from './backoff.ts'
import type { DatabaseFormat } from './database-format.ts'
import { brokeEarly, LostConnection, NoConnection, waitedInVain } from './lost-connection.ts'
import { prepareSchema } from './prepare-schema.ts'
import { resolveOptions } from './resolve-options.ts'
import type { Sql } from './sql.ts'
import { toStoreError, unknownOutcome } from './to-store-error.ts'
import { isContention, runTransaction, TransactionFailure } from './transaction.ts'
import type { TransactionSettings } from './transaction-settings.ts'

export type Work<T> = (sql: Sql) => Promise<T>

export interface TransactionScope {
  /** The principal as stored; undefined for all data. */
  readonly principal?: string | undefined
  /**
   * The number of the session that `work` locks and writes to. Its row shows whether a commit without an answer took
   * place. Without it, `work` must be idempotent.
   */
  readonly session?: number
}

/** Transactions on a pool of connections. `work` may run several times. */
export interface Database {
  /** Host, port, database and schema, without secrets, for people. */
  readonly location: string
  /** Reads one snapshot. */
  read<T>(scope: TransactionScope, work: Work<T>): Promise<T>
  /** Runs a durable transaction. */
  write<T>(scope: TransactionScope, work: Work<T>): Promise<T>
  /** Closes the database. Idempotent. */
  close(): Promise<void>
}

/** All methods reject with the format's errors. The first call connects and creates the tables. */
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
    async close() {
      ended ??= end()
      await ended
    },
  }
}

interface Receipt {
  readonly session: number
  readonly id: string
}

/** Number of marks per session: so many other writers may come between a lost answer and the check. */
const KEPT = 8

function receiptStatement(
  { name, sessions = `${name}_session` }: DatabaseFormat,
  { session, id }: Receipt,
): string {
  return `UPDATE ${sessions} SET receipts = ('{${id}}'::uuid[] || receipts)[1:${KEPT}] WHERE no = ${session}; `
}

async function wasReceived(
  sql: Sql,
  { name, sessions = `${name}_session` }: DatabaseFormat,
  { session, id }: Receipt,
): Promise<boolean> {
  const row = await sql.get<{ received: boolean }>(
    `SELECT receipts @> $1::uuid[] AS received FROM ${sessions} WHERE no = $2 FOR UPDATE`,
    ...[[id], session],
  )
  return row?.received ?? false
}

interface Attempts<T> {
  run(): Promise<T>
  /**
   * The result of a transaction whose commit got no answer; undefined if it did not and will not take place. Absent if
   * repeating it is harmless.
   */
  settle?(): Promise<{ readonly result: T } | undefined>
}

/**
 * Retries a transaction after contention or a broken connection. A server that cannot be reached is not retried, and
 * one that does not answer only once. Rejects with the format's errors.
 */
async function retryTransaction<T>(
  { run, settle }: Attempts<T>,
  { format, location, tools }: { format: DatabaseFormat; location: string; tools: RetryTools },
): Promise<T> {
  let open: unknown
  for (let tries = 1; ; tries++) {
    try {
      const settled = open === undefined ? undefined : await settle?.()
      if (settled !== undefined) return settled.result
      open = undefined
      return await run()
    } catch (failure) {
      const { committing, cause } =
        failure instanceof TransactionFailure ? failure : { committing: false, cause: failure }
      if (committing) open = cause
      const passes =
        cause instanceof LostConnection ||
        isContention(cause) ||
        (cause instanceof NoConnection && (brokeEarly(cause) || (tries > 1 && !waitedInVain(cause))))
      if (!passes || tries >= MAX_TRIES)
        throw open === undefined
          ? toStoreError(cause, location, format)
          : unknownOutcome(open, location, format)
      await tools.wait(pauseAfter(tries, tools.random))
    }
  }
}
