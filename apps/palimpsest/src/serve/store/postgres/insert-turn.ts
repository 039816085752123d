import { insertRows, type Sql } from '@palimpsest/postgres/database'
import { fenceLock } from '../../../stores/lock-row.ts'
import type { TurnRecord } from '../service-store.ts'
import { sessionLockName } from '../session-lock-name.ts'
import { TurnConflictError } from '../turn-conflict-error.ts'
import { lockSession } from './session-rows.ts'

interface Owner {
  readonly principal: string
  readonly packed: string
}

/**
 * Puts a turn behind those that are stored, if it is the next one and its writer has the session still: a worker that
 * was away for too long, and comes back when another one has gone on, changes nothing.
 *
 * @throws TurnConflictError
 */
export async function insertTurn(sql: Sql, { principal, packed }: Owner, record: TurnRecord): Promise<void> {
  const { conversation, turn, system, messages, request, response, at, token } = record
  const known = await lockSession(sql, conversation)
  if (known?.turns !== turn - 1)
    throw new TurnConflictError(`turn ${turn} does not follow on the ${known?.turns} turns that are stored`)
  const lock = { principal, name: sessionLockName(known.session) }
  if (!(await fenceLock(sql, lock, token)))
    throw new TurnConflictError('another worker has taken the session over; try again')
  await insertRows(
    sql,
    'serve_message',
    ['session', 'seq', 'principal', 'json'],
    messages.map((message, index) => [conversation, known.messages + index, packed, JSON.stringify(message)]),
  )
  await sql.run(
    `INSERT INTO serve_turn (session, number, principal, request, request_hash, response, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    ...[conversation, turn, packed, request?.id ?? null, request?.hash ?? null, response, at],
  )
  await sql.run(
    'UPDATE serve_session SET system = $2, turns = $3, messages = messages + $4, last_at = $5 WHERE no = $1',
    ...[conversation, JSON.stringify(system), turn, messages.length, at],
  )
}
