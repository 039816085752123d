import type { ArmSummary } from '../../dialogues/arm-summary.ts'
import type { DialoguesReport } from '../../dialogues/run-dialogues.ts'
import { measureTable, rowTable } from '../arm-table.ts'
import { updateChart } from '../charts/update-chart.ts'
import { counted, outOf, whole } from '../format.ts'
import type { Section } from '../section.ts'
import { DIALOGUE_TOPICS } from './dialogue-measures.ts'
import { warningsText } from './warnings-text.ts'

/** What is in the prompt when a user asks for what was said long ago, on generated dialogues. */
export function dialogueSections({ turns, dialogues, rows }: DialoguesReport): Section[] {
  const total = (key: 'items' | 'corrected' | 'contested' | 'probes'): string =>
    whole(dialogues.reduce((sum, each) => sum + each[key], 0))
  const sizes = dialogues.map(({ tokens }) => tokens)
  return [
    {
      level: 2,
      title: 'Recall on generated dialogues',
      text: [
        `LoCoEval-style, not LoCoEval: the dialogues are generated, and no model answers. ${counted(dialogues.length, 'dialogue')} of ${turns} user turns, ${range(sizes)} tokens of messages; ${total('items')} items of information scattered over the user’s turns between other requests, tool calls and pasted text, ${total('corrected')} of them wrong at first and corrected later in words that say so; ${total('contested')} other things stated plainly in two ways, with no word on which holds, which is a contest and no correction; asked for at ${total('probes')} turns.`,
        'Every arm gets the same messages, within the same budget. Intervals are 95 %, from resampling dialogues; with one dialogue there is none. n stands in the head where it is the same for every arm.',
      ],
    },
    ...DIALOGUE_TOPICS.map(({ title, measures }): Section => {
      return {
        level: 3,
        title,
        text: [],
        points: measures.map(({ name, definition }) => `${name}: ${definition}`),
        table: measureTable(rows, measures),
        ...(title === 'What was corrected' && { chart: updateChart(rows) }),
      }
    }),
    {
      level: 3,
      title: 'Requests of the dialogues',
      text: ['Requests whose messages are above the budget, compactions, and warnings of the arms.'],
      table: rowTable<ArmSummary>(rows, [
        ['over the budget', ({ overBudget }) => outOf(overBudget)],
        ['compactions', ({ compactions }) => whole(compactions)],
        ['warnings', ({ warnings }) => warningsText(warnings)],
      ]),
    },
  ]
}

function range(sizes: readonly number[]): string {
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return least === most ? whole(least) : `${whole(least)} to ${whole(most)}`
}
