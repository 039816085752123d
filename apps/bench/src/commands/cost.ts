import { createTokenCounter } from '@palimpsest/tokens'
import { Command } from 'commander'
import { createProgress } from '../progress.ts'
import { budgetsOption, enginesOption } from './arm-options.ts'
import { checkOutputs } from './check-outputs.ts'
import { chooseArms } from './choose-arms.ts'
import { finishRun } from './finish-run.ts'
import { openSessions } from './open-sessions.ts'
import { parseCount, parseFolder, parseWindows } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'

const WINDOWS = [200_000, 1_000_000]

interface CostOptions {
  readonly data?: string
  readonly engines?: readonly string[]
  readonly budgets: readonly number[]
  readonly windows: readonly number[]
  readonly seed: number
  readonly json?: string
}

/** `bench cost`. */
export function costCommand(surroundings: Surroundings): Command {
  const { root, stderr } = surroundings
  return new Command('cost')
    .description('what sessions cost with a provider that caches, and what compactions cost in cache')
    .option('--data <folder>', 'session files (default: the bundled session)', parseFolder)
    .addOption(enginesOption())
    .addOption(budgetsOption())
    .option('--windows <list>', 'windows of the compactions, in tokens', parseWindows, WINDOWS)
    .option('--seed <number>', 'seed of generated conversations', parseCount, 1)
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ json, data, engines, budgets, ...options }: CostOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const { ARMS } = await import('../arms/arms.ts')
      const { runBills } = await import('../cost/run-bills.ts')
      const { runCost } = await import('../cost/run-cost.ts')
      const arms = chooseArms(ARMS, engines)
      const opened = await openSessions(data, root)
      const progress = createProgress(stderr)
      const bills = await runBills({ ...opened, arms, budgets, tokens: createTokenCounter(), progress })
      const cost = await runCost({ ...options, data: opened.folder, progress })
      await finishRun('cost', { bills, ...cost }, command, surroundings)
    })
}
