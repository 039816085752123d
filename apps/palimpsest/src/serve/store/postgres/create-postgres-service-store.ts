import type { Message, StoredProjection } from '@palimpsest/core'
import { packName } from '@palimpsest/lcm/store-kit'
import { type Database, insertRows, type Sql } from '@palimpsest/postgres/database'
import { createPostgresLocks, fenceLock } from '../../../stores/postgres-locks.ts'
import type { MeteredCall } from '../../models/meter.ts'
import { paidTokens } from '../../models/price-of.ts'
import {
  type CostRecord,
  type KeptProjection,
  type ServiceStore,
  sessionLockName,
  TurnConflictError,
  type TurnRecord,
} from '../service-store.ts'
import { beginSession, findMiscounted, findSession, listSessions, lockSession } from './session-rows.ts'

/**
 * The service's record in a database of `SERVE_TABLES`, for any number of workers.
 *
 * @param principal whose sessions they are; those of others are not seen.
 */
export function createPostgresServiceStore(database: Database, principal: string): ServiceStore {
  const packed = packName(principal)
  const scope = { principal: packed }
  const within = (session: number) => ({ ...scope, session })
  const locks = createPostgresLocks(database, { principal })

  return {
    kind: 'postgres',
    locks,
    find: (session) => database.read(scope, (sql) => findSession(sql, packed, session)),
    begin: (session, repoName, at, least = 1) =>
      database.write(scope, (sql) => beginSession(sql, packed, { session, repoName, at, least })),
    conversations: () => database.read(scope, (sql) => listSessions(sql, packed)),
    async messages(conversation) {
      const query = 'SELECT json FROM serve_message WHERE session = $1 ORDER BY seq'
      const rows = await database.read(scope, (sql) => sql.all<{ json: string }>(query, conversation))
      return rows.map(({ json }) => JSON.parse(json) as Message)
    },
    findResponse: (conversation, requestId) =>
      database.read(scope, (sql) =>
        sql.get(
          'SELECT request_hash AS hash, response FROM serve_turn WHERE session = $1 AND request = $2',
          ...[conversation, requestId],
        ),
      ),
    commitTurn: (turn) =>
      database.write(within(turn.conversation), (sql) => insertTurn(sql, { principal, packed }, turn)),
    async projection(conversation) {
      const query = 'SELECT json FROM serve_projection WHERE session = $1'
      const row = await database.read(scope, (sql) => sql.get<{ json: string }>(query, conversation))
      return row && (JSON.parse(row.json) as StoredProjection)
    },
    keepProjection: (kept) =>
      database.write(within(kept.conversation), async (sql) => {
        await lockOwn(sql, { principal, packed }, kept)
        await putProjection(sql, packed, kept)
      }),
    addCost: (conversation, call) =>
      database.write(within(conversation), (sql) => addCostRow(sql, packed, conversation, call)),
    costs: (conversation) => database.read(scope, (sql) => sumCosts(sql, packed, conversation)),
    async check() {
      await database.read(scope, (sql) => sql.get('SELECT EXISTS (SELECT 1 FROM serve_session)'))
    },
    faults: () => database.read(scope, (sql) => findMiscounted(sql, packed)),
    async close() {
      await locks.close()
      await database.close()
    },
  }
}

/** Adds a call to the sums of a conversation. `principal`: packed. */
async function addCostRow(
  sql: Sql,
  principal: string,
  conversation: number,
  { purpose, model, usage }: MeteredCall,
): Promise<void> {
  const { promptTokens, cachedTokens, writtenTokens, writtenLongTokens, completionTokens } = paidTokens(usage)
  // By this row the database tells whether the call was counted, when a commit gets no answer.
  await lockSession(sql, conversation)
  await sql.run(
    `INSERT INTO serve_cost AS known (session, purpose, model, principal, calls, prompt, cached, written, written_long, completion,
       reasoning)
     VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (session, purpose, model) DO UPDATE SET calls = known.calls + 1,
       prompt = known.prompt + excluded.prompt, cached = known.cached + excluded.cached,
       written = known.written + excluded.written, written_long = known.written_long + excluded.written_long,
       completion = known.completion + excluded.completion, reasoning = known.reasoning + excluded.reasoning`,
    ...[conversation, purpose, model, principal],
    ...[promptTokens, cachedTokens, writtenTokens, writtenLongTokens],
    ...[completionTokens, usage?.reasoningTokens ?? 0],
  )
}

async function sumCosts(
  sql: Sql,
  principal: string,
  conversation: number | undefined,
): Promise<CostRecord[]> {
  return sql.all<CostRecord>(
    `SELECT purpose, model, sum(calls)::bigint AS calls, sum(prompt)::bigint AS "promptTokens",
       sum(cached)::bigint AS "cachedTokens", sum(written)::bigint AS "writtenTokens",
       sum(written_long)::bigint AS "writtenLongTokens", sum(completion)::bigint AS "completionTokens",
       sum(reasoning)::bigint AS "reasoningTokens"
     FROM serve_cost WHERE principal = $1 AND ($2::bigint IS NULL OR session = $2)
     GROUP BY purpose, model ORDER BY purpose, model`,
    ...[principal, conversation ?? null],
  )
}

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
async function insertTurn(sql: Sql, owner: Owner, record: TurnRecord): Promise<void> {
  const { packed } = owner
  const { conversation, turn, system, messages, request, response, projection, at } = record
  const known = await lockOwn(sql, owner, record)
  if (known?.turns !== turn - 1)
    throw new TurnConflictError(`turn ${turn} does not follow on the ${known?.turns} turns that are stored`)
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
  if (projection !== undefined) await putProjection(sql, packed, { ...record, projection })
  await sql.run(
    'UPDATE serve_session SET system = $2, turns = $3, messages = messages + $4, last_at = $5 WHERE no = $1',
    ...[conversation, JSON.stringify(system), turn, messages.length, at],
  )
}

/** Reads a conversation for a writer that has its session still. @throws TurnConflictError */
async function lockOwn(
  sql: Sql,
  { principal }: Owner,
  { conversation, token }: Pick<TurnRecord, 'conversation' | 'token'>,
): ReturnType<typeof lockSession> {
  const known = await lockSession(sql, conversation)
  const lock = { principal, name: sessionLockName(known?.session ?? '') }
  if (known !== undefined && !(await fenceLock(sql, lock, token)))
    throw new TurnConflictError('another worker has taken the session over; try again')
  return known
}

/** `principal`: packed. */
async function putProjection(
  sql: Sql,
  principal: string,
  { conversation, projection }: Omit<KeptProjection, 'token'>,
): Promise<void> {
  await sql.run('DELETE FROM serve_projection WHERE session = $1', conversation)
  if (projection === null) return
  await sql.run(
    'INSERT INTO serve_projection (session, principal, json) VALUES ($1, $2, $3)',
    ...[conversation, principal, JSON.stringify(projection)],
  )
}
