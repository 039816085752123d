import type { Sql } from '@palimpsest/sqlite-kit'
import type { StoreFault } from '../store/lcm-store.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { numberOf, sessionOf } from './row-ids.ts'
import type { SessionRow } from './session-row.ts'

/** Each finds rows of one kind of fault; `id` is the row id of a message or summary, `no` a session's number. */
interface RowCheck {
  readonly code: string
  readonly kind: 'm' | 's' | 'session'
  readonly message: string
  readonly repairable: boolean
  readonly query: string
}

/** Rows of each kind that are named. */
const MAX_ROWS = 100

/** A counter's rows: those of the session from its own first number on. */
const OWN_ROWS = (table: string) =>
  `(SELECT count(*) FROM ${table} WHERE id BETWEEN no * 4294967296 AND no * 4294967296 + 4294967295)`

const CHECKS: readonly RowCheck[] = [
  {
    code: 'missing-message',
    kind: 'session',
    message: 'has not as many messages as it counts',
    repairable: false,
    query: `SELECT no FROM session WHERE ${OWN_ROWS('message')} <> next_seq - fork_seq`,
  },
  {
    code: 'missing-summary',
    kind: 'session',
    message: 'has not as many summaries as it counts',
    repairable: false,
    query: `SELECT no FROM session WHERE ${OWN_ROWS('summary')} <> next_summary - fork_summary`,
  },
  {
    code: 'missing-version',
    kind: 'session',
    message: 'has not as many frontiers as it counts',
    repairable: false,
    query:
      'SELECT no FROM session WHERE (SELECT count(*) FROM version WHERE session = no) <> session.version + 1',
  },
  {
    code: 'stray-row',
    kind: 'm',
    message: 'belongs to no session',
    repairable: false,
    query: 'SELECT id FROM message WHERE NOT EXISTS (SELECT 1 FROM session WHERE no = id / 4294967296)',
  },
  {
    code: 'stray-row',
    kind: 's',
    message: 'belongs to no session',
    repairable: false,
    query: 'SELECT id FROM summary WHERE NOT EXISTS (SELECT 1 FROM session WHERE no = id / 4294967296)',
  },
  {
    code: 'missing-edge',
    kind: 's',
    message: 'condenses nothing',
    repairable: false,
    query:
      'SELECT id FROM summary WHERE depth > 0 AND NOT EXISTS (SELECT 1 FROM edge WHERE edge.summary = id)',
  },
  {
    code: 'wrong-counter',
    kind: 'session',
    message: 'counts its characters wrongly',
    repairable: true,
    query: `SELECT no FROM session WHERE characters <> (SELECT ifnull(sum(message.characters), 0) FROM message
      WHERE id BETWEEN no * 4294967296 AND no * 4294967296 + 4294967295)`,
  },
  {
    code: 'wrong-script',
    kind: 'm',
    message: 'is not indexed as its characters want it',
    repairable: true,
    query: 'SELECT id FROM message WHERE script <> lcm_script(text)',
  },
]

/** Contradictions between the rows of the store. */
export function checkRows(sql: Sql): StoreFault[] {
  return CHECKS.flatMap(({ code, kind, message, repairable, query }) =>
    sql.all<{ id?: number; no?: number }>(`${query} LIMIT ${MAX_ROWS}`).map(({ id, no }): StoreFault => {
      const session = sql.get<Pick<SessionRow, 'principal' | 'key'>>(
        'SELECT principal, key FROM session WHERE no = ?',
        no ?? sessionOf(id ?? 0),
      )
      const owner = session && { principal: unpackName(session.principal), key: unpackName(session.key) }
      const ref = id === undefined ? undefined : `${kind}${numberOf(id)}`
      const subject = ref ?? `The session ${owner?.key}`
      return {
        code,
        message: `${subject} ${message}.`,
        ...owner,
        ...(ref !== undefined && { ref }),
        repairable,
      }
    }),
  )
}
