import { decimal, whole } from '../format.ts'
import type { Run } from '../run.ts'
import { left, right, type Section } from '../section.ts'
import { madeBy } from './made-by.ts'

/** Whether `lcm_grep` finds facts. */
export function grepPage({ command, figures: rows }: Run<'grep'>): Section[] {
  return [
    {
      level: 2,
      title: 'Finding a fact again with lcm_grep',
      text: [
        `${madeBy(command)} A fact is found when a hit is its message, or shows it. The order is an option of the tool.`,
      ],
      table: {
        columns: [left('asked by'), left('order'), right('within'), right('found'), right('facts')],
        rows: rows
          .filter(({ order }) => order !== 'newest')
          .map(({ question, order, within, found }) => [
            question,
            order,
            `${within} hits`,
            decimal(found?.mean ?? null, 2),
            whole(found?.n ?? 0),
          ]),
      },
    },
  ]
}
