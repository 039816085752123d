import { decimal, left, milliseconds, right, type Section, tableOf, whole } from '../report/section.ts'
import type { SpeedReport } from '../speed/run-speed.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'

const SIZES = [400, 2_500, 10_000]

export const speed = defineMeasure<SpeedReport>({
  description: 'what sessions and compactions take in time, as ratios to floors of the same run',
  options: [
    option('--messages <list>', 'lengths of the generated conversations', parseStoreSizes, SIZES),
    SEED,
  ],
  async run({ messages: sizes, seed }, { progress }) {
    const { runSpeed } = await import('../speed/run-speed.ts')
    return runSpeed({ seed, sizes, progress })
  },
  sections: speedSection,
})

function speedSection({ seed, rows }: SpeedReport): Section {
  return {
    title: 'Speed',
    text:
      'Every time is a ratio to a floor that was measured in turn with it. Times are of the processor, so that a busy machine is ' +
      `unfair to neither; n is how often each of the two was measured, and a time is their median. Seed ${seed}.`,
    table: tableOf(rows, [
      left('operation', ({ operation }) => operation),
      right('messages', ({ messages }) => whole(messages)),
      right('n', ({ n }) => whole(n)),
      right('time', ({ measured }) => milliseconds(measured)),
      right('floor', ({ floor }) => milliseconds(floor)),
      left('against', ({ against }) => against),
      right('ratio', ({ ratio }) => decimal(ratio, ratio < 0.1 ? 4 : 2)),
    ]),
  }
}
