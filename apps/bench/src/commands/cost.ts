import { costSections } from '../cost/cost-sections.ts'
import type { CostFigures } from '../cost/run-cost.ts'
import { costPage } from '../report/page/cost-page.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, DATA, ENGINES, openSessions, option, parseWindows, SEED } from './options.ts'

interface CostOptions {
  readonly data?: string
  readonly engines?: readonly string[]
  readonly budgets: readonly number[]
  readonly windows: readonly number[]
  readonly seed: number
}

/** `bench cost`. */
export const cost = defineMeasure<CostFigures, CostOptions>({
  description: 'what sessions cost with a provider that caches, and what compactions cost in cache',
  options: [
    DATA,
    ENGINES,
    BUDGETS,
    option('--windows <list>', 'windows of the compactions, in tokens', parseWindows, [200_000, 1_000_000]),
    SEED,
  ],
  async run({ data, engines, budgets, windows, seed }, { root, progress }) {
    const { createTokenCounter } = await import('@palimpsest/tokens')
    const { ARMS } = await import('../arms/arms.ts')
    const { runBills } = await import('../cost/run-bills.ts')
    const { runCost } = await import('../cost/run-cost.ts')
    const arms = chooseArms(ARMS, engines)
    const recorded = await openSessions(data, root)
    const bills = await runBills({ ...recorded, arms, budgets, tokens: createTokenCounter(), progress })
    return { bills, ...(await runCost({ windows, seed, recorded, progress })) }
  },
  sections: costSections,
  page: costPage,
})
