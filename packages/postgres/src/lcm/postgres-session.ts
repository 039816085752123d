import type { LcmSession } from '@palimpsest/lcm'
import {
  checkTime,
  headOf,
  leaseOf,
  planAppend,
  planCommit,
  planFork,
  planLease,
  planRelease,
  sessionExists,
  toStoredSession,
} from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { messageCandidates, summaryCandidates } from './candidates.ts'
import { forgetMessages } from './forget-messages.ts'
import { readFrontier, readVersions } from './frontier-rows.ts'
import { readLineage } from './lineage.ts'
import { compareMessages, readStoredMessages } from './read-messages.ts'
import {
  insertSession,
  type LockedSession,
  lockSession,
  readSession,
  type SessionRow,
  updateSession,
} from './session-row.ts'
import { readNodes } from './summary-rows.ts'
import { knownRows, writePlan } from './write-plan.ts'

/** A handle of a session. It holds what never changes of it. */
export async function sessionHandle(sql: Sql, database: Database, row: SessionRow): Promise<LcmSession> {
  const { no, principal: packed } = row
  const lineage = await readLineage(sql, row)
  const { principal, key } = toStoredSession(row)
  const read = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.read({ principal: packed }, work)
  const write = <T>(work: (sql: Sql, locked: LockedSession) => Promise<T>): Promise<T> =>
    database.write({ principal: packed, session: no }, async (sql) => work(sql, await lockSession(sql, no)))

  return {
    principal,
    key,
    head: () => read(async (sql) => headOf(toStoredSession(await readSession(sql, no)))),
    append: (input) =>
      write(async (sql, { session }) => {
        const named = { frontier: input.replace?.summaries ?? [] }
        const plan = planAppend(session, input, await knownRows(sql, lineage, session, named))
        writePlan(sql, { no, principal: packed }, plan)
        return headOf(plan.session)
      }),
    messages: (query) => read((sql) => readStoredMessages(sql, no, lineage, query)),
    compare: (...given) => read((sql) => compareMessages(sql, no, lineage, ...given)),
    candidates: (query) =>
      read(async (sql) => messageCandidates(sql, lineage, await readSession(sql, no), query)),
    summaryCandidates: (query) =>
      read(async (sql) => summaryCandidates(sql, lineage, await readSession(sql, no), query)),
    frontier: (version) => read((sql) => readFrontier(sql, lineage, { no, key }, version)),
    versions: (query) => read((sql) => readVersions(sql, no, query)),
    summaries: (numbers) => read((sql) => readNodes(sql, lineage, numbers)),
    commit: (input) =>
      write(async (sql, { session }) => {
        const children = input.create.flatMap((node) => node.children)
        const named = { frontier: input.summaries, children }
        const plan = planCommit(session, input, await knownRows(sql, lineage, session, named))
        const nodes = new Map(plan.summaries.map((node) => [node.number, node]))
        const kept = input.summaries.filter((number) => !nodes.has(number))
        for (const node of await readNodes(sql, lineage, kept)) nodes.set(node.number, node)
        writePlan(sql, { no, principal: packed }, plan)
        return {
          version: plan.session.version,
          nodes: input.summaries.map((number) => nodes.get(number)).filter((node) => node !== undefined),
        }
      }),
    fork: (input) =>
      write(async (sql, { session }) => {
        const rows = await knownRows(sql, lineage, session, { frontier: input.summaries })
        const plan = planFork(session, input, rows)
        const child = await insertSession(sql, plan.session, no)
        if (child === undefined) throw sessionExists(input.key)
        writePlan(sql, child, plan)
        return sessionHandle(sql, database, child)
      }),
    async forget(input) {
      checkTime('at', input.at)
      // It locks the session that all of them come from before this one.
      return database.write({ principal: packed, session: no }, (sql) =>
        forgetMessages(sql, no, lineage, input),
      )
    },
    acquireLease: (request) =>
      write(async (sql, { session, now }) => {
        const leased = planLease(session, request, now)
        if (leased === undefined) return null
        updateSession(sql, no, leased)
        return leaseOf(leased) ?? null
      }),
    releaseLease: (lease) =>
      write(async (sql, { session }) => {
        const released = planRelease(session, lease)
        if (released !== undefined) updateSession(sql, no, released)
      }),
  }
}
