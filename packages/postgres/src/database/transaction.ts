import { DatabaseError, type PoolClient } from 'pg'
import { createStatements } from './create-statements.ts'
import { LostConnection } from './lost-connection.ts'
import type { Sql } from './sql.ts'
import type { TransactionSettings } from './transaction-settings.ts'

/** The outcome of a transaction that failed. */
export class TransactionFailure extends Error {
  /** True when the server was told to commit: it may have done so. */
  readonly committing: boolean

  constructor(committing: boolean, cause: unknown) {
    super('the transaction failed', { cause })
    this.committing = committing
  }
}

/**
 * Does work as one transaction, reading one snapshot. Gives the connection back, or closes it when it broke.
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
  const release = holdClient(client)
  let committing = false
  try {
    const { sql, commit } = createStatements(client, settings)
    const result = await work(sql)
    committing = true
    const committed = commit(receipt)
    // Rows that were read are true whatever becomes of the end, so nothing waits for it.
    if (settings.mode === 'read') {
      releaseBehind(committed, client.pipeline, release)
      return result
    }
    await committed
    release()
    return result
  } catch (error) {
    const isLost = error instanceof LostConnection
    release(isLost || !(await isUndone(client)))
    throw new TransactionFailure(committing && isLost, error)
  }
}

/** Undoes what was done. False when the connection is of no more use. */
function isUndone(client: PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

/** `pipelines`: the end is on its way, and whatever the next transaction sends comes behind it. */
function releaseBehind(ended: Promise<void>, pipelines: boolean, release: (broken?: boolean) => void): void {
  if (!pipelines) {
    ended.then(
      () => release(),
      () => release(true),
    )
    return
  }
  ended.catch(() => {})
  release()
}

/** Returns what gives the connection back to its pool, once; `broken`: to be closed. */
function holdClient(client: PoolClient): (broken?: boolean) => void {
  let isBroken = false
  // Without a listener, a connection that breaks between two statements would end the process.
  const onError = (): void => {
    isBroken = true
  }
  client.on('error', onError)
  return (broken) => {
    isBroken ||= broken === true
    // A broken connection may complain once more while it is closed.
    if (!isBroken) client.off('error', onError)
    client.release(isBroken)
  }
}

/** True for a transaction that others got in the way of: the server has undone it, and it may go better next time. */
export function isContention(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}
