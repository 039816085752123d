import type { z } from '@hono/zod-openapi'
import { PURPOSES, priceList, priceOf } from '../models/price-of.ts'
import type { CostRecord } from '../store/service-store.ts'
import type { CostsResponse } from './schemas.ts'

type Counts = Omit<CostRecord, 'purpose' | 'model'>
type Priced = Counts & { readonly usd: number | null }

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
  const sum = (count: keyof Counts) => parts.reduce((all, part) => all + part[count], 0)
  return {
    calls: sum('calls'),
    promptTokens: sum('promptTokens'),
    cachedTokens: sum('cachedTokens'),
    writtenTokens: sum('writtenTokens'),
    writtenLongTokens: sum('writtenLongTokens'),
    completionTokens: sum('completionTokens'),
    reasoningTokens: sum('reasoningTokens'),
    usd: parts.reduce<number | null>((all, { usd }) => (all === null || usd === null ? null : all + usd), 0),
  }
}
