import type { LcmSession, SessionHead } from '@palimpsest/lcm'
import { checkAppend, checkCommit, checkLeaseRequest, checkTime, unpackName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { appendMessages } from './append-messages.ts'
import { messageCandidates, summaryCandidates } from './candidates.ts'
import { commitSummaries } from './commit-summaries.ts'
import { forgetMessages } from './forget-messages.ts'
import { forkSession } from './fork-session.ts'
import { readFrontier, readVersions } from './frontier-rows.ts'
import { acquireLease, releaseLease } from './lease-row.ts'
import { type Lineage, readLineage } from './lineage.ts'
import { readHashes, readStoredMessages } from './read-messages.ts'
import { lockSession, readSession, replacedOf, type SessionRow } from './session-row.ts'
import { readNodes } from './summary-rows.ts'

/** Reads what never changes of a session, for a handle of it. */
export async function sessionHandle(sql: Sql, database: Database, row: SessionRow): Promise<LcmSession> {
  const parentKey = row.parent === null ? undefined : unpackName((await readSession(sql, row.parent)).key)
  return createPostgresSession(database, row, await readLineage(sql, row), parentKey)
}

function createPostgresSession(
  database: Database,
  { no, principal: packed, key: packedKey, created_at: createdAt, fork_seq: forkSeq }: SessionRow,
  lineage: Lineage,
  parentKey: string | undefined,
): LcmSession {
  const key = unpackName(packedKey)
  const read = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.read({ principal: packed }, work)
  const write = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    database.write({ principal: packed, session: no }, work)
  const headOf = (row: SessionRow): SessionHead => ({
    nextSeq: row.next_seq,
    nextSummary: row.next_summary,
    version: row.version,
    replaced: replacedOf(row),
    createdAt,
    ...(parentKey !== undefined && { parent: { key: parentKey, seq: forkSeq } }),
  })

  return {
    principal: unpackName(packed),
    key,
    head: () => read(async (sql) => headOf(await readSession(sql, no))),
    async append(input) {
      checkAppend(input)
      return write(async (sql) =>
        headOf(await appendMessages(sql, await lockSession(sql, no), lineage, input)),
      )
    },
    messages: (query) => read((sql) => readStoredMessages(sql, no, lineage, query)),
    hashes: (query) => read((sql) => readHashes(sql, no, lineage, query)),
    candidates: (query) =>
      read(async (sql) => messageCandidates(sql, lineage, await readSession(sql, no), query)),
    summaryCandidates: (query) =>
      read(async (sql) => summaryCandidates(sql, lineage, await readSession(sql, no), query)),
    frontier: (version) => read((sql) => readFrontier(sql, lineage, { no, key }, version)),
    versions: (query) => read((sql) => readVersions(sql, no, query)),
    summaries: (numbers) => read((sql) => readNodes(sql, lineage, numbers)),
    async commit(input) {
      checkCommit(input)
      return write(async (sql) => {
        const version = await commitSummaries(sql, await lockSession(sql, no), lineage, input)
        return { version, nodes: await readNodes(sql, lineage, input.summaries) }
      })
    },
    async fork(input) {
      checkTime('at', input.at)
      return write(async (sql) => {
        const child = await forkSession(sql, await lockSession(sql, no), input)
        return sessionHandle(sql, database, child)
      })
    },
    async forget(input) {
      checkTime('at', input.at)
      return write((sql) => forgetMessages(sql, no, lineage, input))
    },
    async acquireLease(request) {
      checkLeaseRequest(request)
      return database.write({ principal: packed }, (sql) => acquireLease(sql, no, request))
    },
    releaseLease: (lease) => database.write({ principal: packed }, (sql) => releaseLease(sql, no, lease)),
  }
}
