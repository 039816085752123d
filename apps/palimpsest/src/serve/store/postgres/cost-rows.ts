import type { Sql } from '@palimpsest/postgres/database'
import type { MeteredCall } from '../../models/meter.ts'
import { paidTokens } from '../../models/price-of.ts'
import type { CostRecord } from '../service-store.ts'
import { lockSession } from './session-rows.ts'

/** Adds a call to the sums of a conversation. `principal`: packed. */
export async function addCostRow(
  sql: Sql,
  principal: string,
  conversation: number,
  { purpose, model, usage }: MeteredCall,
): Promise<void> {
  const { promptTokens, cachedTokens, writtenTokens, writtenLongTokens, completionTokens } = paidTokens(usage)
  // By this row the database tells whether the call was counted, when a commit gets no answer.
  await lockSession(sql, conversation)
  await sql.run(
    `INSERT INTO serve_cost AS known (session, purpose, model, principal, calls, prompt, cached, written, written_long, completion,
       reasoning)
     VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (session, purpose, model) DO UPDATE SET calls = known.calls + 1,
       prompt = known.prompt + excluded.prompt, cached = known.cached + excluded.cached,
       written = known.written + excluded.written, written_long = known.written_long + excluded.written_long,
       completion = known.completion + excluded.completion, reasoning = known.reasoning + excluded.reasoning`,
    ...[conversation, purpose, model, principal],
    ...[promptTokens, cachedTokens, writtenTokens, writtenLongTokens],
    ...[completionTokens, usage?.reasoningTokens ?? 0],
  )
}

export async function sumCosts(
  sql: Sql,
  principal: string,
  conversation: number | undefined,
): Promise<CostRecord[]> {
  return sql.all<CostRecord>(
    `SELECT purpose, model, sum(calls)::bigint AS calls, sum(prompt)::bigint AS "promptTokens",
       sum(cached)::bigint AS "cachedTokens", sum(written)::bigint AS "writtenTokens",
       sum(written_long)::bigint AS "writtenLongTokens", sum(completion)::bigint AS "completionTokens",
       sum(reasoning)::bigint AS "reasoningTokens"
     FROM serve_cost WHERE principal = $1 AND ($2::bigint IS NULL OR session = $2)
     GROUP BY purpose, model ORDER BY purpose, model`,
    ...[principal, conversation ?? null],
  )
}
