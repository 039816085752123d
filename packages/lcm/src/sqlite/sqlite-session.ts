import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { checkAppend, checkCommit, checkLeaseRequest, checkTime } from '../store/check-input.ts'
import type { FrontierVersion } from '../store/frontier.ts'
import type { LcmSession, SessionHead } from '../store/lcm-session.ts'
import { unpackHash, unpackName } from '../store-kit/stored-values.ts'
import { appendMessages } from './append-messages.ts'
import { messageCandidates, summaryCandidates } from './candidates.ts'
import { commitSummaries } from './commit-summaries.ts'
import { forgetMessages } from './forget-messages.ts'
import { forkSession } from './fork-session.ts'
import { currentFrontier, pastFrontier } from './frontier-rows.ts'
import { acquireLease, releaseLease } from './lease-row.ts'
import { type Lineage, readLineage, readMessages, rowLimit } from './lineage.ts'
import { type MessageRow, toStoredMessage } from './message-rows.ts'
import { numberOf } from './row-ids.ts'
import { readReplaced, readSession, replacedOf, type SessionRow } from './session-row.ts'
import { readSummary } from './summary-rows.ts'
import { truncateWal } from './truncate-wal.ts'

/** Reads what never changes of a session, for a handle of it. Within a transaction. */
export function sessionHandle(sql: Sql, connection: Connection, row: SessionRow): LcmSession {
  const parentKey = row.parent === null ? undefined : unpackName(readSession(sql, row.parent).key)
  return createSqliteSession(connection, row, readLineage(sql, row), parentKey)
}

function createSqliteSession(
  connection: Connection,
  { no, principal, key, created_at: createdAt, fork_seq: forkSeq }: SessionRow,
  lineage: Lineage,
  parentKey: string | undefined,
): LcmSession {
  const headOf = (row: SessionRow): SessionHead => ({
    nextSeq: row.next_seq,
    nextSummary: row.next_summary,
    version: row.version,
    replaced: replacedOf(row),
    createdAt,
    ...(parentKey !== undefined && { parent: { key: parentKey, seq: forkSeq } }),
  })

  return {
    principal: unpackName(principal),
    key: unpackName(key),
    head: () => connection.direct((sql) => headOf(readSession(sql, no))),
    async append(input) {
      checkAppend(input)
      return connection.write((sql) => {
        appendMessages(sql, readSession(sql, no), lineage, input)
        return headOf(readSession(sql, no))
      })
    },
    messages: ({ includeReplaced = false, order = 'oldest', ...range }) =>
      connection.read((sql) => {
        const ranges = readReplaced(sql, no)
        const query = `SELECT * FROM message WHERE id BETWEEN ? AND ? ORDER BY id ${order === 'newest' ? 'DESC' : 'ASC'} LIMIT 0 + ?`
        return readMessages(lineage, { ...range, order }, includeReplaced ? [] : ranges, (_, ...bounds) =>
          sql.all<MessageRow>(query, ...bounds),
        ).map((row) => toStoredMessage(row, ranges))
      }),
    hashes: (range) =>
      connection.read((sql) =>
        readMessages(lineage, range, readReplaced(sql, no), (_, ...bounds) =>
          sql.all<Pick<MessageRow, 'id' | 'hash'>>(
            'SELECT id, hash FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 0 + ?',
            ...bounds,
          ),
        ).map(({ id, hash }) => ({ seq: numberOf(id), hash: unpackHash(hash) })),
      ),
    // An edit between the two reads changes nothing that the search before it would not have found.
    candidates: (query) =>
      connection.direct((sql) => messageCandidates(sql, lineage, readReplaced(sql, no), query)),
    summaryCandidates: (query) => connection.direct((sql) => summaryCandidates(sql, lineage, query)),
    frontier: (version) =>
      connection.read((sql) => {
        if (version === undefined)
          return { version: readSession(sql, no).version, nodes: currentFrontier(sql, no) }
        const query = 'SELECT 1 FROM version WHERE session = ? AND version = ?'
        if (typeof version !== 'number' || sql.get(query, no, version) === undefined)
          throw new StoreError('NOT_FOUND', `${unpackName(key)} has no frontier version ${version}`)
        return { version, nodes: pastFrontier(sql, no, version) }
      }),
    versions: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      connection.read((sql) =>
        sql
          .all<Omit<FrontierVersion, 'nextSeq'> & { next_seq: number }>(
            'SELECT * FROM version WHERE session = ? AND version < ? ORDER BY version DESC LIMIT 0 + ?',
            ...[no, before, rowLimit(limit)],
          )
          .map(({ version, reason, next_seq: nextSeq, at }) => ({ version, reason, nextSeq, at })),
      ),
    summaries: (numbers) =>
      connection.read((sql) =>
        numbers.map((number) => readSummary(sql, lineage, number)).filter((node) => node !== undefined),
      ),
    async commit(input) {
      checkCommit(input)
      return connection.write((sql) => {
        const version = commitSummaries(sql, readSession(sql, no), lineage, input)
        return { version, nodes: currentFrontier(sql, no) }
      })
    },
    async fork(input) {
      checkTime('at', input.at)
      return connection.write((sql) => {
        const child = forkSession(sql, readSession(sql, no), input)
        return sessionHandle(sql, connection, readSession(sql, child))
      })
    },
    async forget(input) {
      checkTime('at', input.at)
      const forgotten = await connection.write((sql) => forgetMessages(sql, lineage, input))
      await truncateWal(connection)
      return forgotten
    },
    async acquireLease(request) {
      checkLeaseRequest(request)
      return connection.write((sql) => acquireLease(sql, readSession(sql, no), request))
    },
    releaseLease: (lease) => connection.write((sql) => releaseLease(sql, no, lease)),
  }
}
