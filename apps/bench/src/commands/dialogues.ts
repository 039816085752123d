import { Command } from 'commander'
import { runDialogues } from '../dialogues/run-dialogues.ts'
import { createProgress } from '../progress.ts'
import { budgetsOption } from './budgets-option.ts'
import { checkOutputs } from './check-outputs.ts'
import { chooseArms } from './choose-arms.ts'
import { parseNames, parseNumber, parseTurns } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'
import { writeJson } from './write-json.ts'

/** User turns of a generated dialogue, unless others are asked for. */
export const DIALOGUE_TURNS = 50

interface DialoguesOptions {
  readonly seeds: number
  readonly turns: number
  readonly budgets: number[]
  readonly engines?: readonly string[]
  readonly json?: string
}

/** `bench dialogues`. */
export function dialoguesCommand({ stdout, stderr }: Surroundings): Command {
  return new Command('dialogues')
    .description(
      'what each engine shows a model when it is asked for what was said long ago (LoCoEval-style)',
    )
    .option('--seeds <number>', 'how many generated dialogues', parseNumber, 16)
    .option('--turns <number>', "user's turns of each", parseTurns, DIALOGUE_TURNS)
    .addOption(budgetsOption())
    .option('--engines <names>', 'engines and peers, beside the bounds (default: all)', parseNames)
    .option('--json <file>', 'write the figures, and every item that was missed, to a file too')
    .action(async ({ json, engines, ...input }: DialoguesOptions) => {
      checkOutputs({ '--json': json })
      const { ARMS } = await import('../arms/arms.ts')
      const { renderDialogues } = await import('../dialogues/render-dialogues.ts')
      const arms = chooseArms(ARMS, engines)
      const report = await runDialogues({ ...input, arms, progress: createProgress(stderr) })
      await writeJson(json, report)
      stdout.write(renderDialogues(report))
    })
}
