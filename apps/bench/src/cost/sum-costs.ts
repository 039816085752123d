import type { Arm } from '../arms/arm.ts'
import type { BillRow } from './bill-report.ts'
import type { SessionCost } from './bill-session.ts'

/** What an arm costs in all sessions together. */
export function sumCosts(
  { name, kind }: Pick<Arm, 'name' | 'kind'>,
  budget: number,
  costs: readonly SessionCost[],
): BillRow {
  const sum = (of: (cost: SessionCost) => number) => costs.reduce((total, cost) => total + of(cost), 0)
  const requests = sum((cost) => cost.requests)
  const tokens = sum((cost) => cost.tokens)
  const sticky = sum((cost) => cost.sticky)
  const summaries = sum((cost) => cost.summaries)
  return {
    arm: name,
    kind,
    budget,
    requests,
    compactions: sum((cost) => cost.compactions),
    promptTokens: requests === 0 ? 0 : tokens / requests,
    sticky,
    systemAnd3: sum((cost) => cost.systemAnd3),
    uncached: sum((cost) => cost.uncached),
    readShare: tokens === 0 ? 0 : sum((cost) => cost.read) / tokens,
    summaries,
    total: sticky + summaries,
    overBudget: { count: sum((cost) => cost.overBudget), n: requests },
    warnings: sumWarnings(costs),
  }
}

/** By code, in the order of the alphabet. */
function sumWarnings(costs: readonly SessionCost[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { warnings } of costs)
    for (const [code, count] of Object.entries(warnings)) sums[code] = (sums[code] ?? 0) + count
  return Object.fromEntries(Object.entries(sums).sort(([a], [b]) => (a < b ? -1 : 1)))
}
