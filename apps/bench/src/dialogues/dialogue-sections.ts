import { measureTable, rowTable } from '../report/arm-table.ts'
import { counted, outOf, whole } from '../report/format.ts'
import type { Measure } from '../report/measure.ts'
import type { Section } from '../report/section.ts'
import { warningsText } from '../report/warnings-text.ts'
import type { ArmSummary } from './arm-summary.ts'
import type { DialoguesReport } from './run-dialogues.ts'

/** What is measured at every question. */
export const DIALOGUE_MEASURES: readonly Measure<ArmSummary>[] = [
  {
    name: 'values',
    definition:
      'of the values that a question is about, the share that stands in the prompt: as a whole word, with a word of its subject within 240 characters. The ceiling of IE (information extraction)',
    better: 'more',
    of: ({ itemRecall }) => itemRecall,
  },
  {
    name: 'values, with tools',
    definition: 'in the prompt, or in the answer of one call, which gets the words of the subject',
    better: 'more',
    of: ({ reached }) => reached,
  },
  {
    name: 'corrections',
    definition: 'of the values that were corrected, the share of which the prompt says last what holds',
    better: 'more',
    of: ({ updateAccuracy }) => updateAccuracy,
  },
  {
    name: 'stale',
    definition:
      'of the corrected values, the share that stands somewhere in the prompt without its correction beside it. A history that is kept whole has it too, and a prompt that shows nothing has none',
    better: 'less',
    of: ({ staleExposure }) => staleExposure,
  },
  {
    name: 'misled',
    definition: 'the same, and the correction stands nowhere: an answer from this prompt is wrong',
    better: 'less',
    of: ({ misled }) => misled,
  },
  {
    name: 'conflicts flagged',
    definition:
      'of what was said in two ways without a word on which one holds, the share of which the prompt, or the answer of one call, shows both with a mark of conflict. Only the decision engine writes such marks',
    better: 'more',
    of: ({ contradictions }) => contradictions.flaggedWithTools,
  },
  {
    name: 'falsely flagged',
    definition: 'of the values that were said in one way only, the share that is marked so',
    better: 'less',
    of: ({ contradictions }) => contradictions.falselyFlagged,
  },
  {
    name: 'changed files',
    definition:
      'F1 of the files that the prompt presents as changed, against those that calls changed so far',
    better: 'more',
    of: ({ trail }) => trail,
  },
  {
    name: 'topics',
    definition:
      'of all that came up before, the share whose title stands in the prompt. The ceiling of TA (topic awareness)',
    better: 'more',
    of: ({ topicRecall }) => topicRecall,
  },
  {
    name: 'functions',
    definition:
      'of the functions whose three numbers are settled, the share of which all three stand in the prompt. The ceiling of FC (function completion)',
    better: 'more',
    of: ({ functionsComplete }) => functionsComplete,
  },
]

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
      points: DIALOGUE_MEASURES.map(({ name, definition }) => `${name}: ${definition}`),
      table: measureTable(rows, DIALOGUE_MEASURES),
    },
    {
      level: 3,
      title: 'Requests of the dialogues',
      text: [
        'Tokens are means of the prompts in which something is asked; those of tools stand beside them.',
      ],
      table: rowTable<ArmSummary>(rows, [
        ['tokens', ({ tokens }) => whole(tokens?.mean ?? 0)],
        ['tools', ({ toolTokens }) => whole(toolTokens?.mean ?? 0)],
        ['over the budget', ({ overBudget }) => outOf(overBudget)],
        ['compactions', ({ compactions }) => whole(compactions)],
        ['warnings', ({ warnings }) => warningsText(warnings)],
      ]),
    },
  ]
}
