import { tmpdir } from 'node:os'
import type { LcmReport } from '../lcm/run-lcm.ts'
import { promisesText, ratioTable } from '../speed/ratio-row.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench lcm                                 about three minutes, 2 GB in the folder for temporary files
  bench lcm --messages 1000,10000           some seconds
  bench lcm --messages 10000,1000000 --json lcm.json
                                            about half an hour, 18 GB; refuses when they do not fit`

interface LcmOptions {
  readonly messages: readonly number[]
  readonly seed: number
}

export const lcm = defineMeasure<LcmReport, LcmOptions>({
  description: 'what the lossless engine and its store cost, from 1,000 to 1,000,000 messages',
  options: [
    option('--messages <list>', 'sizes of the stores', parseStoreSizes, [1000, 10_000, 100_000]),
    SEED,
  ],
  examples: EXAMPLES,
  async run({ messages, seed }, { progress }) {
    const { findShortage } = await import('../lcm/scratch-folder.ts')
    const shortage = await findShortage(tmpdir(), Math.max(...messages))
    if (shortage !== undefined) throw new UsageError(shortage)
    const { runLcm } = await import('../lcm/run-lcm.ts')
    return runLcm({ seed, sizes: messages, progress })
  },
  sections: ({ sqlite, seed, rows }) => [
    {
      level: 2,
      title: 'The lossless engine and its store',
      text: [
        `Every floor was measured in turn with its figure, in one run. SQLite ${sqlite}, seed ${seed}. ${promisesText(rows)}`,
      ],
      table: ratioTable(rows),
    },
  ],
})
