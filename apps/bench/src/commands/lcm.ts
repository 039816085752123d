import { tmpdir } from 'node:os'
import { Command } from 'commander'
import { findShortage } from '../lcm/disk-space.ts'
import { createProgress } from '../progress.ts'
import { checkOutputs } from './check-outputs.ts'
import { finishRun } from './finish-run.ts'
import { parseCount, parseStoreSizes } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench lcm                                 about three minutes, 2 GB in the folder for temporary files
  bench lcm --messages 1000,10000           some seconds
  bench lcm --messages 10000,1000000 --json lcm.json
                                            about half an hour, 18 GB; refuses when they do not fit`

interface LcmOptions {
  readonly messages: number[]
  readonly seed: number
  readonly json?: string
}

/** `bench lcm`. */
export function lcmCommand(surroundings: Surroundings): Command {
  return new Command('lcm')
    .description('what the lossless engine and its store cost, from 1,000 to 1,000,000 messages')
    .option('--messages <list>', 'sizes of the stores', parseStoreSizes, [1000, 10_000, 100_000])
    .option('--seed <number>', 'seed of the generated conversations', parseCount, 1)
    .option('--json <file>', 'write the figures to a file too')
    .addHelpText('after', EXAMPLES)
    .action(async ({ messages, seed, json }: LcmOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const shortage = await findShortage(tmpdir(), Math.max(...messages))
      if (shortage !== undefined) throw new UsageError(shortage)
      const { runLcm } = await import('../lcm/run-lcm.ts')
      const report = await runLcm({ seed, sizes: messages, progress: createProgress(surroundings.stderr) })
      await finishRun('lcm', report, command, surroundings)
    })
}
