import { dialogueSections } from '../dialogues/dialogue-sections.ts'
import type { DialoguesReport } from '../dialogues/run-dialogues.ts'
import { dialoguesPage } from '../report/page/dialogues-page.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, ENGINES, option, parseTurns, SEEDS } from './options.ts'

/** User turns of a generated dialogue, unless others are asked for. */
export const DIALOGUE_TURNS = 50

interface DialoguesOptions {
  readonly seeds: number
  readonly turns: number
  readonly budgets: readonly number[]
  readonly engines?: readonly string[]
}

/** `bench dialogues`. */
export const dialogues = defineMeasure<DialoguesReport, DialoguesOptions>({
  description: 'what each engine shows a model when it is asked for what was said long ago',
  options: [
    SEEDS,
    option('--turns <number>', "user's turns of each", parseTurns, DIALOGUE_TURNS),
    BUDGETS,
    ENGINES,
  ],
  async run({ seeds, turns, budgets, engines }, { progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const { runDialogues } = await import('../dialogues/run-dialogues.ts')
    return runDialogues({ seeds, turns, budgets, arms: chooseArms(ARMS, engines), progress })
  },
  sections: dialogueSections,
  page: dialoguesPage,
})
