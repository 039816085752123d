import { DatabaseError, type PoolClient } from 'pg'
import { createStatements } from './create-statements.ts'
import { LostConnection } from './lost-connection.ts'
import type { Sql } from './sql.ts'
import type { TransactionSettings } from './transaction-settings.ts'

export class TransactionFailure extends Error {
  readonly committing: boolean

  constructor(committing: boolean, cause: unknown) {
    super('the transaction failed', { cause })
    this.committing = committing
  }
}

/**
 * Runs `work` as one transaction on one snapshot, then returns the connection to the pool, or closes a broken one.
 *
 * @param receipt A statement without values, sent together with the commit.
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
    // Rows that were read are valid however the transaction ends, so nothing waits for it.
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

function isUndone(client: PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  )
}

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

function holdClient(client: PoolClient): (broken?: boolean) => void {
  let isBroken = false
  // Without a listener, a connection that breaks between two statements would end the process.
  const onError = (): void => {
    isBroken = true
  }
  client.on('error', onError)
  return (broken) => {
    isBroken ||= broken === true
    // A broken connection may raise another error while it is closed.
    if (!isBroken) client.off('error', onError)
    client.release(isBroken)
  }
}

export function isContention(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')
}
