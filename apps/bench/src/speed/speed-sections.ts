import { bytes, decimal, whole } from '../report/format.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import { promisesText, ratioTable } from './ratio-row.ts'
import type { SpeedReport } from './run-speed.ts'

/** How long it takes, against floors of the same run, and what is held in memory. */
export function speedSections({ seed, rows, memory }: SpeedReport): Section[] {
  return [
    {
      level: 2,
      title: 'Speed',
      text: [
        `Every time is a ratio to a floor that was measured in turn with it. Times are of the processor, so that a busy machine is unfair to neither; n is how often each of the two was measured, and a time is their median. Seed ${seed}. ${promisesText(rows)}`,
      ],
      table: ratioTable(rows),
    },
    {
      level: 3,
      title: 'Memory',
      text: ['What is still held behind a garbage collection, against the messages as JSON.'],
      table: tableOf(memory, [
        left('what', ({ what }) => what),
        right('messages', ({ messages }) => whole(messages)),
        right('held', ({ heap }) => bytes(heap)),
        right('as JSON', ({ floor }) => bytes(floor)),
        right('ratio', ({ heap, floor }) => decimal(heap / floor, 2)),
      ]),
    },
  ]
}
