import type { Section } from '../report/section.ts'
import { promisesText, ratioTable } from '../speed/ratio-row.ts'
import type { LcmReport } from './run-lcm.ts'

/** What the lossless engine and its store cost, and what they miss. */
export function lcmSections({ sqlite, seed, rows }: LcmReport): Section[] {
  return [
    {
      level: 2,
      title: 'The lossless engine and its store',
      text: [
        `Every floor was measured in turn with its figure, in one run. SQLite ${sqlite}, seed ${seed}. ${promisesText(rows)}`,
      ],
      table: ratioTable(rows),
    },
  ]
}
