import type { Sql } from '@palimpsest/sqlite-kit'
import type { FrontierContext } from '../history/check-frontier.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { type Lineage, messageId } from './lineage.ts'
import { type CoverRow, findCover } from './summary-rows.ts'

/** What a frontier of a session is checked against: the session as it will be then. */
export function frontierContext(
  sql: Sql,
  lineage: Lineage,
  { nextSeq, replaced }: { readonly nextSeq: number; readonly replaced: readonly SeqRange[] },
): FrontierContext<CoverRow> {
  return {
    nextSeq,
    replaced,
    roleOf(seq) {
      const id = messageId(lineage, seq)
      if (id === undefined) return undefined
      const row = sql.get<{ role: string }>('SELECT role FROM message WHERE id = ?', id)
      return row && unpackName(row.role)
    },
    find: (number) => findCover(sql, lineage, number),
  }
}
