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
    async close() {
      ended ??= end()
      await ended
    },
  }
}

/** Where a transaction leaves its mark: in the row of a session that it has locked. */
interface Receipt {
  readonly session: number
  readonly id: string
}

/** Marks that a session keeps: so many other writers may come between a lost answer and the question for it. */
const KEPT = 8

/** Leaves the mark. It goes along with the commit and costs no way to the server of its own. */
function receiptStatement(
  { name, sessions = `${name}_session` }: DatabaseFormat,
  { session, id }: Receipt,
): string {
  return `UPDATE ${sessions} SET receipts = ('{${id}}'::uuid[] || receipts)[1:${KEPT}] WHERE no = ${session}; `
}

/**
 * Whether the transaction that was to leave the mark has committed. Waits for it, if the server is still at it: until
 * then it holds the row. So the answer is the last word.
 */
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

/** A transaction that may be tried more than once. */
interface Attempts<T> {
  run(): Promise<T>
  /**
   * The result of a run whose commit got no answer; undefined when it did not take place, and never will. Absent when
   * a second run does no harm.
   */
  settle?(): Promise<{ readonly result: T } | undefined>
}

/**
 * Tries a transaction until it is done. Others may get in its way, and its connection may break; a server that cannot
 * be reached at all is not waited for, and one that does not answer only once. Rejects with errors of the format.
 */
async function retryTransaction<T>(
  { run, settle }: Attempts<T>,
  { format, location, tools }: { format: DatabaseFormat; location: string; tools: RetryTools },
): Promise<T> {
  /** Why it is not known whether a commit took place. */
  let open: unknown
  for (let tries = 1; ; tries++) {
    try {
      const settled = open === undefined ? undefined : await settle?.()
      if (settled !== undefined) return settled.result
      open = undefined
      return await run()
    } catch (failure) {
      const { committing, cause } = failure instanceof TransactionFailure ? failure : notBegun(failure)
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

/** A failure from before there was a transaction. */
function notBegun(cause: unknown): Pick<TransactionFailure, 'committing' | 'cause'> {
  return { committing: false, cause }
}
