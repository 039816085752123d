import { counted, countsText, outOf, whole } from '../report/format.ts'
import { armTable, definitionsOf, measureTable } from '../report/measure.ts'
import type { Section } from '../report/section.ts'
import { DIALOGUE_MEASURES } from './dialogue-measures.ts'
import type { DialoguesReport } from './run-dialogues.ts'

/** What is in the prompt when a user asks for what was said long ago. */
export function dialogueSections({ turns, dialogues, rows }: DialoguesReport): Section[] {
  const total = (key: 'items' | 'corrected' | 'contested' | 'probes'): string =>
    whole(dialogues.reduce((sum, each) => sum + each[key], 0))
  const sizes = dialogues.map(({ tokens }) => tokens)
  return [
    {
      level: 2,
      title: 'Values in generated dialogues',
      text: [
        `${counted(dialogues.length, 'generated dialogue')} of ${turns} user turns, ${whole(Math.min(...sizes))} to ${whole(Math.max(...sizes))} tokens: ${total('items')} values scattered over the user’s turns between other requests, tool calls and pasted text, ${total('corrected')} of them wrong at first and corrected later; ${total('contested')} more stated plainly in two ways; asked for at ${total('probes')} turns. Every arm gets the same messages within the same budget.`,
        'The tasks are those of LoCoEval, the dialogues are not. No model answers: a ceiling is what a perfect reader of the prompt could reach in recall, and `bench judge` measures what a model reaches. Intervals are 95 %, from resampling dialogues.',
      ],
      points: definitionsOf(DIALOGUE_MEASURES),
      table: measureTable(rows, DIALOGUE_MEASURES),
    },
    {
      level: 3,
      title: 'Requests of the dialogues',
      text: [
        'Tokens are means of the prompts in which something is asked; those of tools stand beside them.',
      ],
      table: armTable(rows, [
        ['tokens', ({ tokens }) => whole(tokens?.mean ?? 0)],
        ['tools', ({ toolTokens }) => whole(toolTokens?.mean ?? 0)],
        ['over the budget', ({ overBudget }) => outOf(overBudget)],
        ['compactions', ({ compactions }) => whole(compactions)],
        ['warnings', ({ warnings }) => countsText(warnings)],
      ]),
    },
  ]
}
