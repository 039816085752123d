import type { Forgotten, SeqRange } from '@palimpsest/lcm'
import { LAST_NUMBER, packName } from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'

/** Deletes the content of messages, and of all summaries whose ranges hold one of them. The session is locked. */
export async function forgetMessages(
  sql: Sql,
  no: number,
  { first, last, reason, at }: SeqRange & { readonly reason: string; readonly at: number },
): Promise<Forgotten> {
  const [low, high] = [Math.max(0, Math.ceil(first)), Math.min(LAST_NUMBER, Math.floor(last))]
  if (!(low <= high)) return { messages: 0, summaries: [] }
  const values = [no, low, high, at, packName(reason)] as const
  const messages = await sql.run(
    `UPDATE lcm_message SET json = '', folded = NULL, words = '', grams = NULL,
       forgotten_at = $4, forgotten_reason = $5
     WHERE session = $1 AND seq BETWEEN $2 AND $3 AND forgotten_at IS NULL`,
    ...values,
  )
  const covering = await sql.all<{ readonly number: number }>(
    `UPDATE lcm_summary SET text = '', folded = NULL, forgotten_at = $4, forgotten_reason = $5
     WHERE session = $1 AND first <= $3 AND last >= $2 AND forgotten_at IS NULL RETURNING number`,
    ...values,
  )
  const summaries = covering.map(({ number }) => number).sort((left, right) => left - right)
  return { messages, summaries }
}
