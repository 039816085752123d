import type { LcmSession } from '@palimpsest/lcm'
import {
  checkTime,
  headOf,
  isInstructionRole,
  type KnownRows,
  leaseOf,
  planAppend,
  planCommit,
  planForget,
  planLease,
  planRelease,
  toStoredSession,
  unpackName,
  type WritePlan,
} from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { messageCandidates, summaryCandidates } from './candidates.ts'
import { forgetMessages } from './forget-messages.ts'
import { compareMessages, insertMessages, readMessages, readRange } from './message-rows.ts'
import {
  type LockedSession,
  lockSession,
  readSession,
  type SessionRow,
  updateSession,
} from './session-row.ts'
import {
  findCovers,
  insertSummaries,
  insertVersion,
  readFrontier,
  readSummaries,
  readVersions,
} from './summary-rows.ts'

/** A handle of a session. It holds what never changes of it. */
export function sessionHandle(database: Database, row: SessionRow): LcmSession {
  const { no, principal: packed } = row
  const { principal, key } = toStoredSession(row)
  const read = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => database.read({ principal: packed }, work)
  const write = <T>(work: (sql: Sql, locked: LockedSession) => Promise<T>): Promise<T> =>
    database.write({ principal: packed, session: no }, async (sql) => work(sql, await lockSession(sql, no)))

  return {
    principal,
    key,
    head: () => read(async (sql) => headOf(toStoredSession(await readSession(sql, no)))),
    append: (input) =>
      write(async (sql, locked) => {
        const named = { frontier: input.replace?.summaries ?? [] }
        const plan = planAppend(locked.session, input, await knownRows(sql, locked, named))
        writePlan(sql, locked, plan)
        return headOf(plan.session)
      }),
    messages: (query) => read((sql) => readMessages(sql, no, query)),
    compare: (...given) => read((sql) => compareMessages(sql, no, ...given)),
    candidates: (query) => read(async (sql) => messageCandidates(sql, await readSession(sql, no), query)),
    summaryCandidates: (query) =>
      read(async (sql) => summaryCandidates(sql, await readSession(sql, no), query)),
    frontier: (version) => read((sql) => readFrontier(sql, { no, key }, version)),
    versions: (query) => read((sql) => readVersions(sql, no, query)),
    summaries: (numbers) => read((sql) => readSummaries(sql, no, numbers)),
    commit: (input) =>
      write(async (sql, locked) => {
        const children = input.create.flatMap((node) => node.children)
        const named = { frontier: input.summaries, children }
        const plan = planCommit(locked.session, input, await knownRows(sql, locked, named))
        const nodes = new Map(plan.summaries.map((node) => [node.number, node]))
        const kept = input.summaries.filter((number) => !nodes.has(number))
        for (const node of await readSummaries(sql, no, kept)) nodes.set(node.number, node)
        writePlan(sql, locked, plan)
        return {
          version: plan.session.version,
          nodes: input.summaries.map((number) => nodes.get(number)).filter((node) => node !== undefined),
        }
      }),
    async forget(input) {
      checkTime('at', input.at)
      return write(async (sql, locked) => {
        const { session } = locked
        const done = await forgetMessages(sql, no, input)
        if (done.messages + done.summaries.length === 0) return done
        const { nodes } = await readFrontier(sql, { no, key }, session.version)
        const summaries = nodes.map(({ number }) => number)
        writePlan(sql, locked, planForget(session, { at: input.at, summaries }))
        return done
      })
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

/** Writes what was planned for a session that is there and locked: with the commit, so that no statement sees it. */
export function writePlan(
  sql: Sql,
  row: Pick<LockedSession, 'no' | 'principal'>,
  { session, messages, summaries, frontier }: WritePlan,
): void {
  insertMessages(sql, row, messages)
  insertSummaries(sql, row, summaries)
  if (frontier !== undefined) insertVersion(sql, row, frontier)
  updateSession(sql, row.no, session)
}

/** Messages whose roles are read at a time: few histories begin with more than two instructions. */
const PAGE_ROWS = 8

/** The rows that a plan is checked against: the covers of the summaries that its input names, and the first roles. */
async function knownRows(
  sql: Sql,
  { no, session: { replaced } }: LockedSession,
  named: { readonly frontier?: readonly number[]; readonly children?: readonly number[] },
): Promise<KnownRows> {
  const { frontier = [], children = [] } = named
  const covers = await findCovers(sql, no, [...frontier, ...children])
  const roles = new Map<number, string>()
  for (let first = 0; frontier.length > 0; ) {
    type Row = { readonly seq: number; readonly role: string }
    const range = { first, limit: PAGE_ROWS, skipped: replaced }
    const rows = await readRange<Row>(sql, no, 'seq, role', range)
    for (const { seq, role } of rows) roles.set(seq, unpackName(role))
    const last = rows.at(-1)
    if (last === undefined || !isInstructionRole(roles.get(last.seq))) break
    first = last.seq + 1
  }
  return { roleOf: (seq) => roles.get(seq), coverOf: (number) => covers.get(number) }
}
