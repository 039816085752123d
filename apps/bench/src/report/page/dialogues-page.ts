import { DIALOGUE_MEASURES } from '../../dialogues/dialogue-sections.ts'
import { middleBudget } from '../arm-table.ts'
import { decimal, whole } from '../format.ts'
import type { Run } from '../run.ts'
import { left, right, type Section } from '../section.ts'
import { madeBy } from './made-by.ts'

/** Those of the measures that set arms apart. */
const SHOWN = ['values', 'values, with tools', 'corrections', 'stale', 'conflicts flagged', 'changed files']
/** `empty` has nothing and `full` has everything, by definition. */
const TRIVIAL = ['empty', 'full']

/** Values in generated dialogues, within the middle budget. */
export function dialoguesPage({ command, figures: { dialogues, rows } }: Run<'dialogues'>): Section[] {
  const budget = middleBudget(rows)
  const measures = DIALOGUE_MEASURES.filter(({ name }) => SHOWN.includes(name))
  const values = dialogues.reduce((sum, { items }) => sum + items, 0)
  return [
    {
      level: 2,
      title: 'Values in dialogues',
      text: [
        `${madeBy(command)} ${whole(values)} values that users gave, corrected or contradicted in ${dialogues.length} generated dialogues, asked for long after, within ${whole(budget)} tokens. Shares; \`stale\`, an old value without its correction beside it, is better when it is less. \`truncate\` is the end of the conversation and nothing else; langchain and ai-sdk are packages of others.`,
      ],
      table: {
        columns: [left('arm'), ...measures.map(({ name }) => right(name))],
        rows: rows
          .filter((row) => row.budget === budget && !TRIVIAL.includes(row.arm))
          .map((row) => [
            row.arm,
            ...measures.map(({ of }) => {
              const figure = of(row)
              return decimal(typeof figure === 'number' ? figure : (figure?.mean ?? null), 2)
            }),
          ]),
      },
    },
  ]
}
