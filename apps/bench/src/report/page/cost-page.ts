import type { CostFigures } from '../../cost/run-cost.ts'
import { dollars, madeBy, whole } from '../format.ts'
import { middleBudget } from '../measure.ts'
import { left, right, type Section, tableOf } from '../section.ts'

/** The bill of every arm by strategy, within the middle budget. */
export function costPage({ bills }: CostFigures, command: string): Section[] {
  const budget = middleBudget(bills.rows)
  const rows = bills.rows.filter((row) => row.budget === budget && row.arm !== 'empty')
  return [
    {
      level: 2,
      title: 'What it costs',
      text: [
        `${madeBy(command)} US dollars for the recorded sessions (${whole(rows[0]?.requests ?? 0)} requests) within ${whole(budget)} tokens of messages, at the prices of ${bills.model} of ${bills.pricesOf}. Prompts without a cache, and with breakpoints by two strategies; \`sticky\` is [the default](prompt-caching.md). Total: \`sticky\` and what a model would be paid for the summaries. Who shows less pays less.`,
      ],
      table: tableOf(rows, [
        left('arm', ({ arm }) => arm),
        right('compactions', ({ compactions }) => whole(compactions)),
        right('no cache', ({ uncached }) => dollars(uncached)),
        right('system_and_3', ({ systemAnd3 }) => dollars(systemAnd3)),
        right('sticky', ({ sticky }) => dollars(sticky)),
        right('summaries', ({ summaries }) => dollars(summaries)),
        right('total', ({ total }) => dollars(total)),
      ]),
    },
  ]
}
