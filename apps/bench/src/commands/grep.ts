import { Command } from 'commander'
import { createProgress } from '../progress.ts'
import { checkOutputs } from './check-outputs.ts'
import { finishRun } from './finish-run.ts'
import { openSessions } from './open-sessions.ts'
import { parseFolder, parseNumber } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'

/** Facts of each session that are asked for. */
const CASES = 150

interface GrepOptions {
  readonly data?: string
  readonly seed: number
  readonly json?: string
}

/** `bench grep`. */
export function grepCommand(surroundings: Surroundings): Command {
  const { root, stderr } = surroundings
  return new Command('grep')
    .description('whether lcm_grep finds a fact by words from near it, and with one of them replaced')
    .option('--data <folder>', 'session files (default: the bundled session)', parseFolder)
    .option('--seed <number>', 'which facts are asked for', parseNumber, 1)
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ data, seed, json }: GrepOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const { runGrep } = await import('../grep/run-grep.ts')
      const { sessions } = await openSessions(data, root)
      const rows = await runGrep({ sessions, cases: CASES, seed, progress: createProgress(stderr) })
      await finishRun('grep', rows, command, surroundings)
    })
}
