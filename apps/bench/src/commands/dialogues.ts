import { DIALOGUE_MEASURES } from '../dialogues/dialogue-measures.ts'
import type { DialogueRow, DialoguesReport } from '../dialogues/run-dialogues.ts'
import { counted, decimal, madeBy, whole } from '../report/format.ts'
import { definitionsOf, measureTable, middleBudget, plainValue } from '../report/measure.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, ENGINES, SEEDS } from './options.ts'

export const DIALOGUE_TURNS = 50

interface DialoguesOptions {
  readonly seeds: number
  readonly budgets: readonly number[]
  readonly engines?: readonly string[]
}

export const dialogues = defineMeasure<DialoguesReport, DialoguesOptions>({
  description: 'what each engine shows a model when it is asked for what was said long ago',
  options: [SEEDS, BUDGETS, ENGINES],
  async run({ seeds, budgets, engines }, { progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const { runDialogues } = await import('../dialogues/run-dialogues.ts')
    return runDialogues({ seeds, turns: DIALOGUE_TURNS, budgets, arms: chooseArms(ARMS, engines), progress })
  },
  sections: dialogueSections,
  page: dialoguesPage,
})

function dialogueSections({ turns, dialogues, rows }: DialoguesReport): Section[] {
  const total = (key: 'items' | 'corrected' | 'contested' | 'probes'): string =>
    whole(dialogues.reduce((sum, each) => sum + each[key], 0))
  const sizes = dialogues.map(({ tokens }) => tokens)
  return [
    {
      level: 2,
      title: 'Values in generated dialogues',
      text: [
        `${counted(dialogues.length, 'generated dialogue')} of ${turns} user turns, ${whole(Math.min(...sizes))} to ${whole(Math.max(...sizes))} tokens: ` +
          `${total('items')} values scattered over the user’s turns between other requests, tool calls and pasted text, ${total('corrected')} of them wrong at first and corrected later; ` +
          `${total('contested')} more stated plainly in two ways; asked for at ${total('probes')} turns. ` +
          'Every arm gets the same messages within the same budget.',
        'The tasks are those of LoCoEval, the dialogues are not. No model answers: a ceiling is what a perfect reader of the prompt could reach in recall, and `bench judge` measures what a model reaches. Intervals are 95 %, from resampling dialogues.',
      ],
      points: definitionsOf(DIALOGUE_MEASURES),
      table: measureTable(rows, DIALOGUE_MEASURES),
    },
  ]
}

/** Those of the measures that set arms apart. */
const SHOWN = [
  'itemRecall',
  'reached',
  'updateAccuracy',
  'staleExposure',
  'flaggedWithTools',
  'trail',
] as const
function dialoguesPage({ dialogues, rows }: DialoguesReport, command: string): Section[] {
  const budget = middleBudget(rows)
  const values = dialogues.reduce((sum, { items }) => sum + items, 0)
  return [
    {
      level: 2,
      title: 'Values in dialogues',
      text: [
        `${madeBy(command)} ${whole(values)} values that users gave, corrected or contradicted in ${dialogues.length} generated dialogues, asked for long after, within ${whole(budget)} tokens. ` +
          'Shares; `stale`, an old value without its correction beside it, is better when it is less. ' +
          '`truncate` is the end of the conversation and nothing else; langchain and ai-sdk are packages of others.',
      ],
      table: tableOf(
        // The whole conversation has everything, by definition.
        rows.filter((row) => row.budget === budget && row.arm !== 'full'),
        [
          left('arm', ({ arm }) => arm),
          ...SHOWN.map((key) =>
            right(DIALOGUE_MEASURES[key].name, (row: DialogueRow) => decimal(plainValue(row[key]), 2)),
          ),
        ],
      ),
    },
  ]
}
