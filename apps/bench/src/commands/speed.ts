import { Command } from 'commander'
import { createProgress } from '../progress.ts'
import { checkOutputs } from './check-outputs.ts'
import { finishRun } from './finish-run.ts'
import { parseCount, parseStoreSizes } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'

/** Lengths of the conversations, in messages. */
const SIZES = [400, 1_000, 10_000, 100_000]

interface SpeedOptions {
  readonly messages: readonly number[]
  readonly seed: number
  readonly json?: string
}

/** `bench speed`. */
export function speedCommand(surroundings: Surroundings): Command {
  return new Command('speed')
    .description('what sessions and compactions take in time and memory, as ratios to floors of the same run')
    .option('--messages <list>', 'lengths of the generated conversations', parseStoreSizes, SIZES)
    .option('--seed <number>', 'seed of the generated conversations', parseCount, 1)
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ messages: sizes, seed, json }: SpeedOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const { runSpeed } = await import('../speed/run-speed.ts')
      const report = await runSpeed({ seed, sizes, progress: createProgress(surroundings.stderr) })
      await finishRun('speed', report, command, surroundings)
    })
}
