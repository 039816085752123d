import type { z } from '@hono/zod-openapi'
import { PURPOSES, priceList, priceOf } from '../models/price-of.ts'
import type { CostRecord } from '../store/service-store.ts'
import type { CostsResponse } from './schemas.ts'

type Counts = Omit<CostRecord, 'purpose' | 'model'>
type Priced = Counts & { readonly usd: number | null }

const NOTHING: Priced = {
  calls: 0,
  promptTokens: 0,
  cachedTokens: 0,
  writtenTokens: 0,
  writtenLongTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  usd: 0,
}

/** The spending by purpose and model. A sum with an unknown price in it is unknown. */
export function costReport(
  session: string | null,
  records: readonly CostRecord[],
): z.input<typeof CostsResponse> {
  const models = records.map((record) => ({ ...record, usd: priceOf(record.model, record) }))
  const purposes = PURPOSES.map(
    (purpose) => [purpose, total(models.filter((model) => model.purpose === purpose))] as const,
  )
  return {
    session,
    purposes: Object.fromEntries(purposes) as Record<(typeof PURPOSES)[number], Priced>,
    models,
    total: total(models),
    prices: priceList(),
  }
}

function total(parts: readonly Priced[]): Priced {
  return parts.reduce<Priced>(
    (sum, part) => ({
      calls: sum.calls + part.calls,
      promptTokens: sum.promptTokens + part.promptTokens,
      cachedTokens: sum.cachedTokens + part.cachedTokens,
      writtenTokens: sum.writtenTokens + part.writtenTokens,
      writtenLongTokens: sum.writtenLongTokens + part.writtenLongTokens,
      completionTokens: sum.completionTokens + part.completionTokens,
      reasoningTokens: sum.reasoningTokens + part.reasoningTokens,
      usd: sum.usd === null || part.usd === null ? null : sum.usd + part.usd,
    }),
    NOTHING,
  )
}
