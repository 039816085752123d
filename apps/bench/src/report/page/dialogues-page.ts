import { DIALOGUE_MEASURES } from '../../dialogues/dialogue-measures.ts'
import type { DialogueRow, DialoguesReport } from '../../dialogues/run-dialogues.ts'
import { decimal, madeBy, whole } from '../format.ts'
import { middleBudget, plainValue } from '../measure.ts'
import { left, right, type Section, tableOf } from '../section.ts'

/** Those of the measures that set arms apart. */
const SHOWN = [
  'itemRecall',
  'reached',
  'updateAccuracy',
  'staleExposure',
  'flaggedWithTools',
  'trail',
] as const
/** `empty` has nothing and `full` has everything, by definition. */
const TRIVIAL = ['empty', 'full']

/** Values in generated dialogues, within the middle budget. */
export function dialoguesPage({ dialogues, rows }: DialoguesReport, command: string): Section[] {
  const budget = middleBudget(rows)
  const values = dialogues.reduce((sum, { items }) => sum + items, 0)
  return [
    {
      level: 2,
      title: 'Values in dialogues',
      text: [
        `${madeBy(command)} ${whole(values)} values that users gave, corrected or contradicted in ${dialogues.length} generated dialogues, asked for long after, within ${whole(budget)} tokens. Shares; \`stale\`, an old value without its correction beside it, is better when it is less. \`truncate\` is the end of the conversation and nothing else; langchain and ai-sdk are packages of others.`,
      ],
      table: tableOf(
        rows.filter((row) => row.budget === budget && !TRIVIAL.includes(row.arm)),
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
