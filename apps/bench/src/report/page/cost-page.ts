import { middleBudget } from '../arm-table.ts'
import { dollars, whole } from '../format.ts'
import type { Run } from '../run.ts'
import { left, right, type Section } from '../section.ts'
import { madeBy } from './made-by.ts'

/** The bill of every arm by strategy, within the middle budget. */
export function costPage({ command, figures: { bills } }: Run<'cost'>): Section[] {
  const budget = middleBudget(bills.rows)
  const rows = bills.rows.filter((row) => row.budget === budget && row.arm !== 'empty')
  return [
    {
      level: 2,
      title: 'What it costs',
      text: [
        `${madeBy(command)} US dollars for the recorded sessions (${whole(rows[0]?.requests ?? 0)} requests) within ${whole(budget)} tokens of messages, at the prices of ${bills.model} of ${bills.pricesOf}. Prompts without a cache, and with breakpoints by two strategies; \`sticky\` is [the default](prompt-caching.md). Total: \`sticky\` and what a model would be paid for the summaries. Who shows less pays less.`,
      ],
      table: {
        columns: [
          left('arm'),
          ...['compactions', 'no cache', 'system_and_3', 'sticky', 'summaries', 'total'].map(right),
        ],
        rows: rows.map((row) => [
          row.arm,
          whole(row.compactions),
          ...[row.uncached, row.systemAnd3, row.sticky, row.summaries, row.total].map(dollars),
        ]),
      },
    },
  ]
}
