import { speedPage } from '../report/page/speed-page.ts'
import type { SpeedReport } from '../speed/run-speed.ts'
import { speedSections } from '../speed/speed-sections.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'

/** Lengths of the conversations, in messages. */
const SIZES = [400, 1_000, 10_000, 100_000]

interface SpeedOptions {
  readonly messages: readonly number[]
  readonly seed: number
}

/** `bench speed`. */
export const speed = defineMeasure<SpeedReport, SpeedOptions>({
  description: 'what sessions and compactions take in time and memory, as ratios to floors of the same run',
  options: [
    option('--messages <list>', 'lengths of the generated conversations', parseStoreSizes, SIZES),
    SEED,
  ],
  async run({ messages: sizes, seed }, { progress }) {
    const { runSpeed } = await import('../speed/run-speed.ts')
    return runSpeed({ seed, sizes, progress })
  },
  sections: speedSections,
  page: speedPage,
})
