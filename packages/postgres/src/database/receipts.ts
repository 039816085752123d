import type { DatabaseFormat } from './database-format.ts'
import type { Sql } from './sql.ts'

/** Where a transaction leaves its mark: in the row of a session that it has locked. */
export interface Receipt {
  readonly session: number
  readonly id: string
}

/** Marks that a session keeps: so many other writers may come between a lost answer and the question for it. */
const KEPT = 8

/** Leaves the mark. It goes along with the commit and costs no way to the server of its own. */
export function receiptStatement({ name }: DatabaseFormat, { session, id }: Receipt): string {
  return `UPDATE ${name}_session SET receipts = ('{${id}}'::uuid[] || receipts)[1:${KEPT}] WHERE no = ${session}; `
}

/**
 * Whether the transaction that was to leave the mark has committed. Waits for it, if the server is still at it: until
 * then it holds the row. So the answer is the last word.
 */
export async function wasReceived(
  sql: Sql,
  { name }: DatabaseFormat,
  { session, id }: Receipt,
): Promise<boolean> {
  const row = await sql.get<{ received: boolean }>(
    `SELECT receipts @> $1::uuid[] AS received FROM ${name}_session WHERE no = $2 FOR UPDATE`,
    ...[[id], session],
  )
  return row?.received ?? false
}
