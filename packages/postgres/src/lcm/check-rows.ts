import type { StoreFault } from '@palimpsest/lcm'
import { unpackName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'

/** Finds rows of one kind of fault: the session, its names, and the number of a message or a summary. */
interface RowCheck {
  readonly code: string
  /** The prefix of the number. */
  readonly kind: 'm' | 's' | ''
  readonly message: string
  readonly repairable: boolean
  readonly query: string
}

/** Rows of each kind that are named. */
const MAX_ROWS = 100

const SESSION = 'SELECT principal, key, NULL::integer AS number FROM lcm_session'

/** A session that has not as many rows in a table as it counts. */
function missing(code: string, table: string, what: string, counted: string): RowCheck {
  const query = `${SESSION} WHERE (SELECT count(*) FROM ${table} WHERE session = no) <> ${counted}`
  return { code, kind: '', message: `has not as many ${what} as it counts`, repairable: false, query }
}

/** Rows whose session is not there, or belongs to another principal. */
function stray(kind: 'm' | 's', table: string, number: string): RowCheck {
  const query = `SELECT row.principal, NULL::text AS key, ${number} AS number FROM ${table} AS row
    WHERE NOT EXISTS (SELECT 1 FROM lcm_session WHERE no = session AND lcm_session.principal = row.principal)`
  return { code: 'stray-row', kind, message: 'belongs to no session', repairable: false, query }
}

const CHECKS: readonly RowCheck[] = [
  missing('missing-message', 'lcm_message', 'messages', 'next_seq - fork_seq'),
  missing('missing-summary', 'lcm_summary', 'summaries', 'next_summary - fork_summary'),
  missing('missing-version', 'lcm_frontier', 'frontiers', 'lcm_session.version + 1'),
  stray('m', 'lcm_message', 'seq'),
  stray('s', 'lcm_summary', 'number'),
  {
    code: 'missing-edge',
    kind: 's',
    message: 'condenses nothing',
    repairable: false,
    query: `SELECT lcm_session.principal, key, number FROM lcm_summary JOIN lcm_session ON no = session
      WHERE depth > 0 AND children = '{}'`,
  },
  {
    code: 'wrong-counter',
    kind: '',
    message: 'counts its characters wrongly',
    repairable: true,
    query: `${SESSION} WHERE characters <>
      (SELECT coalesce(sum(message.characters), 0) FROM lcm_message AS message WHERE session = no)`,
  },
]

/** Contradictions between the rows of the store. */
export async function checkRows(sql: Sql): Promise<StoreFault[]> {
  const faults: StoreFault[] = []
  for (const { code, kind, message, repairable, query } of CHECKS) {
    type Row = { readonly principal: string; readonly key: string | null; readonly number: number | null }
    for (const { principal, key, number } of await sql.all<Row>(`${query} LIMIT ${MAX_ROWS}`)) {
      const ref = number === null ? undefined : `${kind}${number}`
      faults.push({
        code,
        message: `${ref ?? `The session ${key === null ? '' : unpackName(key)}`} ${message}.`,
        principal: unpackName(principal),
        ...(key !== null && { key: unpackName(key) }),
        ...(ref !== undefined && { ref }),
        repairable,
      })
    }
  }
  return faults
}
