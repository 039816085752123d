import { Command } from 'commander'
import { runDialogues } from '../dialogues/run-dialogues.ts'
import { createProgress } from '../progress.ts'
import { budgetsOption, enginesOption, seedsOption } from './arm-options.ts'
import { checkOutputs } from './check-outputs.ts'
import { chooseArms } from './choose-arms.ts'
import { finishRun } from './finish-run.ts'
import { parseTurns } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'

/** User turns of a generated dialogue, unless others are asked for. */
export const DIALOGUE_TURNS = 50

interface DialoguesOptions {
  readonly seeds: number
  readonly turns: number
  readonly budgets: readonly number[]
  readonly engines?: readonly string[]
  readonly json?: string
}

/** `bench dialogues`. */
export function dialoguesCommand(surroundings: Surroundings): Command {
  return new Command('dialogues')
    .description('what each engine shows a model when it is asked for what was said long ago')
    .addOption(seedsOption())
    .option('--turns <number>', "user's turns of each", parseTurns, DIALOGUE_TURNS)
    .addOption(budgetsOption())
    .addOption(enginesOption())
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ json, engines, ...input }: DialoguesOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const { ARMS } = await import('../arms/arms.ts')
      const arms = chooseArms(ARMS, engines)
      const report = await runDialogues({ ...input, arms, progress: createProgress(surroundings.stderr) })
      await finishRun('dialogues', report, command, surroundings)
    })
}
