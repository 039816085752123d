import { DatabaseError, type PoolClient } from 'pg'
import { LostConnection } from './lost-connection.ts'
import { createSend, type Send } from './send-statement.ts'
import type { Sql } from './sql.ts'
import { beginText, type TransactionSettings } from './transaction-settings.ts'

/** The statements of one transaction, on as few ways to the server and back as is safe. */
export interface Statements {
  /** For the work. Its first statement begins the transaction. */
  readonly sql: Sql
  /** Sends a text of statements without values together with the commit. */
  commit(receipt: string): Promise<void>
}

/** A server takes the commit of a transaction with a failed statement for a rollback, and calls that no error. */
const UNDONE = 'nothing was written: the work of a transaction went on behind a statement that had failed'

/**
 * A connection that pipelines takes statements before the ones in front of them are answered. Behind one that failed,
 * the server refuses all others of the transaction, its commit included.
 */
export function createStatements(client: PoolClient, settings: TransactionSettings): Statements {
  const query = beginWithFirst(createSend(client, settings.statementTimeout), settings, client.pipeline)
  return {
    sql: createSql(query),
    async commit(receipt) {
      const ended = await query(`${receipt}COMMIT`)
      if (ended?.command !== 'COMMIT') throw new Error(UNDONE)
    },
  }
}

/** Begins the transaction on the way of its first statement. */
function beginWithFirst(send: Send, settings: TransactionSettings, pipelines: boolean): Send {
  // Behind a beginning that failed, a statement is a transaction of its own: it may only read.
  const waits = !pipelines || settings.mode === 'write'
  let begun: ReturnType<Send> | undefined
  return async (text, values = []) => {
    if (begun !== undefined) {
      if (waits) await begun
      return send(text, values)
    }
    const begin = beginText(settings)
    if (values.length === 0) {
      // Of a text, nothing is done behind a statement that failed.
      const answer = send(`${begin}; ${text}`).catch(rejectBegin)
      begun = answer
      return answer
    }
    begun = send(begin).catch(rejectBegin)
    if (waits) await begun
    return lastOf([begun, send(text, values)])
  }
}

/** Why the first one failed says what is wrong: the others may have failed because of it. */
async function lastOf(answers: readonly ReturnType<Send>[]): ReturnType<Send> {
  const settled = await Promise.allSettled(answers)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return answers.at(-1)
}

/** A statement in a transaction that failed before: its end was interrupted and not awaited. */
const NOT_ENDED = '25P02'

/** A connection that cannot begin a transaction, because it is in one, is as good as lost. */
function rejectBegin(error: unknown): never {
  throw error instanceof DatabaseError && error.code === NOT_ENDED ? new LostConnection(error) : error
}

function createSql(query: Send): Sql {
  return {
    all: async (text, ...values) => (await query(text, values))?.rows ?? [],
    get: async (text, ...values) => (await query(text, values))?.rows[0],
    run: async (text, ...values) => (await query(text, values))?.rowCount ?? 0,
    async script(statements) {
      await query(statements)
    },
  }
}
