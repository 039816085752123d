import { setTimeout as wait } from 'node:timers/promises'
import type { Connection, Sql } from '@palimpsest/sqlite-kit'
import { StoreError, sessionExists, versionNotFound } from '../errors/store-error.ts'
import { checkTime } from '../store/check-input.ts'
import type { LcmSession } from '../store/lcm-session.ts'
import { planLease, planRelease } from '../store-kit/plan-lease.ts'
import { planAppend, planCommit, planFork } from '../store-kit/plan-write.ts'
import { toRanges, toStoredSession } from '../store-kit/row-columns.ts'
import { headOf, leaseOf, type StoredSession } from '../store-kit/stored-session.ts'
import { readCandidates } from './candidates.ts'
import { forgetMessages } from './forget-messages.ts'
import { currentFrontier, pastFrontier, readVersions } from './frontier-rows.ts'
import type { IndexingConnection } from './index-later.ts'
import { readLineage } from './lineage.ts'
import { compareMessages, readMessages } from './message-rows.ts'
import { messagesOf, SUMMARIES } from './searched-rows.ts'
import { findSession, insertSession, readSession, type SessionRow, updateSession } from './session-row.ts'
import { readSummary } from './summary-rows.ts'
import { knownRows, writePlan } from './write-plan.ts'

/** A handle of a session. It holds what never changes of it. Within a transaction. */
export function sessionHandle(sql: Sql, connection: IndexingConnection, row: SessionRow): LcmSession {
  const { no } = row
  const lineage = readLineage(sql, row)
  const { principal, key } = toStoredSession(row)
  const sessionOf = (sql: Sql): StoredSession => toStoredSession(readSession(sql, no))
  const replacedOf = (sql: Sql) =>
    toRanges(sql.get<{ replaced: string }>('SELECT replaced FROM session WHERE no = ?', no)?.replaced ?? '[]')
  const write = async <T>({ indexLater }: { readonly indexLater?: boolean }, work: (sql: Sql) => T) => {
    const result = await connection.write(work)
    if (indexLater) connection.indexRest()
    return result
  }

  return {
    principal,
    key,
    head: () => connection.direct((sql) => headOf(sessionOf(sql))),
    append: (input) =>
      write(input, (sql) => {
        const plan = planAppend(sessionOf(sql), input, knownRows(sql, lineage))
        writePlan(sql, no, lineage, plan, input.indexLater)
        return headOf(plan.session)
      }),
    messages: (query) => connection.read((sql) => readMessages(sql, lineage, replacedOf(sql), query)),
    compare: (...given) => connection.read((sql) => compareMessages(sql, lineage, replacedOf(sql), ...given)),
    // An edit between the two reads changes nothing that the search before it would not have found.
    candidates: (query) =>
      readCandidates(connection, lineage, (sql) => messagesOf(replacedOf(sql), query), query),
    summaryCandidates: (query) => readCandidates(connection, lineage, () => SUMMARIES, query),
    frontier: (version) =>
      connection.read((sql) => {
        if (version === undefined)
          return { version: readSession(sql, no).version, nodes: currentFrontier(sql, no) }
        const nodes = pastFrontier(sql, no, version)
        if (nodes === undefined) throw versionNotFound(key, version)
        return { version, nodes }
      }),
    versions: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      connection.read((sql) => readVersions(sql, no, before, limit)),
    summaries: (numbers) =>
      connection.read((sql) =>
        numbers.map((number) => readSummary(sql, lineage, number)).filter((node) => node !== undefined),
      ),
    commit: (input) =>
      write(input, (sql) => {
        const plan = planCommit(sessionOf(sql), input, knownRows(sql, lineage))
        writePlan(sql, no, lineage, plan, input.indexLater)
        return { version: plan.session.version, nodes: currentFrontier(sql, no) }
      }),
    fork: (input) =>
      connection.write((sql) => {
        const plan = planFork(sessionOf(sql), input, knownRows(sql, lineage))
        if (findSession(sql, plan.session) !== undefined) throw sessionExists(input.key)
        const child = readSession(sql, insertSession(sql, plan.session, no))
        writePlan(sql, child.no, readLineage(sql, child), plan)
        return sessionHandle(sql, connection, child)
      }),
    async forget(input) {
      checkTime('at', input.at)
      const forgotten = await connection.write((sql) => forgetMessages(sql, lineage, input))
      await truncateWal(connection)
      return forgotten
    },
    acquireLease: (request) =>
      connection.write((sql) => {
        const leased = planLease(sessionOf(sql), request)
        if (leased === undefined) return null
        updateSession(sql, no, leased)
        return leaseOf(leased) ?? null
      }),
    releaseLease: (lease) =>
      connection.write((sql) => {
        const released = planRelease(sessionOf(sql), lease)
        if (released !== undefined) updateSession(sql, no, released)
      }),
  }
}

/** The time to wait for readers of an old state, in milliseconds, and the pause between two tries. */
const LIMIT = 30_000
const PAUSE = 20

/**
 * Moves the write-ahead log into the file and empties it: what was deleted must not live on in it.
 *
 * @throws StoreError `STORE_BUSY` when others go on reading an old state.
 */
async function truncateWal(connection: Connection): Promise<void> {
  for (const end = performance.now() + LIMIT; ; await wait(PAUSE)) {
    const result = await connection.direct((sql) =>
      sql.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'),
    )
    if (result?.busy !== 1) return
    if (performance.now() >= end)
      throw new StoreError(
        'STORE_BUSY',
        `what was forgotten is still in the log of ${connection.path}, because others read it; forget it again later`,
      )
  }
}
