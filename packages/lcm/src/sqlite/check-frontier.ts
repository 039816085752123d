import { StoreError } from '../errors/store-error.ts'
import { countLive, nextLive } from '../history/replaced-ranges.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import type { FrontierEntry } from './frontier-rows.ts'
import { type Lineage, messageId, summaryId } from './lineage.ts'
import type { Sql } from './sql.ts'
import { packName } from './stored-values.ts'

/** The session as it will be when the frontier is its own. */
interface FrontierContext {
  readonly lineage: Lineage
  readonly nextSeq: number
  readonly replaced: readonly SeqRange[]
}

/**
 * Refuses a list of summaries that is not one unbroken run of live messages from the first one that is no
 * instruction. It looks at bounds and counts, not at the messages.
 *
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkFrontier(
  sql: Sql,
  summaries: readonly number[],
  { lineage, nextSeq, replaced }: FrontierContext,
): FrontierEntry[] {
  if (summaries.length === 0) return []
  let expected = firstCoverable(sql, lineage, replaced)
  return summaries.map((number) => {
    const place = summaryId(lineage, number)
    const query = 'SELECT first, last, messages FROM summary WHERE id = ? AND last <= ?'
    const row =
      place && sql.get<Pick<SummaryNode, 'first' | 'last' | 'messages'>>(query, place.id, place.lastSeq)
    if (place === undefined || row === undefined) throw invalid(`there is no s${number}`)
    const { first, last, messages } = row
    if (first !== expected) throw invalid(`s${number} begins at m${first}, but m${expected} is next`)
    if (last < first || last >= nextSeq) throw invalid(`s${number} ends at m${last}, which is not there`)
    if (countLive(replaced, first, last) !== messages || nextLive(replaced, last) !== last)
      throw invalid(`s${number} does not cover what m${first} to m${last} hold now`)
    expected = nextLive(replaced, last + 1)
    return { id: place.id, first }
  })
}

/** The first live message that is no leading instruction: where every frontier begins. */
function firstCoverable(sql: Sql, lineage: Lineage, replaced: readonly SeqRange[]): number {
  for (let seq = nextLive(replaced, 0); ; seq = nextLive(replaced, seq + 1)) {
    const id = messageId(lineage, seq)
    const row =
      id === undefined ? undefined : sql.get<{ role: string }>('SELECT role FROM message WHERE id = ?', id)
    if (row === undefined || !INSTRUCTION_ROLES.has(row.role)) return seq
  }
}

const INSTRUCTION_ROLES: ReadonlySet<string> = new Set(['system', 'developer'].map(packName))

/** The error `INVALID_FRONTIER`. */
export function invalid(reason: string): StoreError {
  return new StoreError('INVALID_FRONTIER', `${reason}; a frontier covers an unbroken run of messages`)
}
