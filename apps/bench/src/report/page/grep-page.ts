import type { GrepRow } from '../../grep/run-grep.ts'
import { decimal, madeBy, whole } from '../format.ts'
import { left, right, type Section, tableOf } from '../section.ts'

/** Whether `lcm_grep` finds facts. */
export function grepPage(rows: readonly GrepRow[], command: string): Section[] {
  return [
    {
      level: 2,
      title: 'Finding a fact again with lcm_grep',
      text: [
        `${madeBy(command)} A fact is found when a hit is its message, or shows it. The order is an option of the tool.`,
      ],
      table: tableOf(
        rows.filter(({ order }) => order !== 'newest'),
        [
          left('asked by', ({ question }) => question),
          left('order', ({ order }) => order),
          right('within', ({ within }) => `${within} hits`),
          right('found', ({ found }) => decimal(found?.mean ?? null, 2)),
          right('facts', ({ found }) => whole(found?.n ?? 0)),
        ],
      ),
    },
  ]
}
