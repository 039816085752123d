import { DatabaseError, type PoolClient } from 'pg'
import { LostConnection } from './lost-connection.ts'
import { createSend, type Send } from './send-statement.ts'
import type { Sql } from './sql.ts'
import { beginText, type TransactionSettings } from './transaction-settings.ts'

export interface Statements {
  readonly sql: Sql
  commit(receipt: string): Promise<void>
}

/** A server treats the commit of a transaction with a failed statement as a rollback, without an error. */
const UNDONE = 'nothing was written: the work of a transaction went on behind a statement that had failed'

/**
 * A pipelining connection sends statements before earlier ones are answered. After a failed one, the server refuses all
 * others of the transaction, including the commit.
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

/** Begins the transaction in the same round trip as its first statement. */
function beginWithFirst(send: Send, settings: TransactionSettings, pipelines: boolean): Send {
  // If the beginning fails, a statement runs as a transaction of its own, so it must only read.
  const waits = !pipelines || settings.mode === 'write'
  let begun: ReturnType<Send> | undefined
  return async (text, values = []) => {
    if (begun !== undefined) {
      if (waits) await begun
      return send(text, values)
    }
    const begin = beginText(settings)
    if (values.length === 0) {
      // After a failed statement, the rest of a text is skipped.
      const answer = send(`${begin}; ${text}`).catch(rejectBegin)
      begun = answer
      return answer
    }
    begun = send(begin).catch(rejectBegin)
    if (waits) await begun
    return lastOf([begun, send(text, values)])
  }
}

/** The first failure is the cause; later ones may result from it. */
async function lastOf(answers: readonly ReturnType<Send>[]): ReturnType<Send> {
  const settled = await Promise.allSettled(answers)
  const failed = settled.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return answers.at(-1)
}

/** A statement in a transaction that has failed, whose end was interrupted. */
const NOT_ENDED = '25P02'

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
