import type { Estimate } from '../../bootstrap.ts'
import type { ArmSummary } from '../../dialogues/arm-summary.ts'
import { whole } from '../format.ts'
import type { Measure } from '../measure.ts'

/** Measures that are looked at together. */
export interface DialogueTopic {
  readonly title: string
  readonly measures: readonly Measure<ArmSummary>[]
}

/** What is measured on generated dialogues at every question. */
export const DIALOGUE_TOPICS: readonly DialogueTopic[] = [
  {
    title: 'Items in the prompt',
    measures: [
      {
        name: 'item recall',
        definition:
          'of the items that a question is about, the share that stands in the prompt: the value as a whole word, with a word of its subject within 240 characters',
        better: 'more',
        of: ({ itemRecall }) => itemRecall,
      },
      {
        name: 'normalised',
        definition: 'the same, where `empty` is 0 and `full` is 1',
        of: ({ normalized }) => normalized,
      },
      {
        name: 'settled early',
        definition: 'the same for items that were settled further back than the budget',
        better: 'more',
        of: ({ earlyRecall }) => earlyRecall,
      },
      {
        name: 'topic recall',
        definition:
          'of the names of the topic that is asked about (path, class, function, helper), the share in the prompt',
        better: 'more',
        of: ({ topicRecall }) => topicRecall,
      },
      {
        name: 'planted facts',
        definition:
          'of facts that have nothing to do with the rest and are asked for at the end, the share in the prompt',
        better: 'more',
        of: ({ needles }) => needles.recall,
      },
    ],
  },
  {
    title: 'Items in the prompt or found by a tool',
    measures: [
      {
        name: 'items@1',
        definition:
          'in the prompt, or in the answer of one call of the arm’s best tool, which gets the words of the subject and never the value',
        better: 'more',
        of: (row) => bestTool(row.reached, row.itemRecall),
      },
      {
        name: 'items@3',
        definition: 'the same with up to three calls, each with other words',
        better: 'more',
        of: (row) => bestTool(row.reachedAt3, row.itemRecall),
      },
      {
        name: 'planted facts@1',
        definition: 'the same with one call for the planted facts',
        better: 'more',
        of: ({ needles }) => bestTool(needles.reached, needles.recall),
      },
      {
        name: 'planted facts@3',
        definition: 'with up to three',
        better: 'more',
        of: ({ needles }) => bestTool(needles.reachedAt3, needles.recall),
      },
    ],
  },
  {
    title: 'What was corrected',
    measures: [
      {
        name: 'update accuracy',
        definition:
          'of the items that were corrected in words that say so, the share of which the prompt says last what holds',
        better: 'more',
        of: ({ updateAccuracy }) => updateAccuracy,
      },
      {
        name: 'stale exposure',
        definition:
          'of the corrected items, the share whose old value stands in the prompt with its subject and without the new value within 240 characters, at one place at least; a history that is kept whole has it: the old message is still there',
        better: 'less',
        of: ({ staleExposure }) => staleExposure,
      },
      {
        name: 'stale and nothing else',
        definition: 'the same, and the new value stands nowhere: whoever answers from this prompt is wrong',
        better: 'less',
        of: ({ misled }) => misled,
      },
    ],
  },
  {
    title: 'What was said in two ways',
    measures: [
      {
        name: 'contradictions flagged',
        definition:
          'of what was said in two ways without a word on which one holds, the share of which the prompt shows both with a mark of conflict; no peer writes any mark offline, so their 0 is by construction',
        better: 'more',
        of: ({ contradictions }) => contradictions.flagged,
      },
      {
        name: 'with tools',
        definition: 'the same for the prompt and the answer of one call together',
        better: 'more',
        of: ({ contradictions }) => contradictions.flaggedWithTools,
      },
      {
        name: 'falsely flagged',
        definition: 'of the items that nobody contests, the share that is marked so',
        better: 'less',
        of: ({ contradictions }) => contradictions.falselyFlagged,
      },
    ],
  },
  {
    title: 'Artifact trail',
    measures: [
      {
        name: 'trail F1',
        definition:
          'the files that the prompt presents as changed, against those that calls created, edited, deleted or renamed so far',
        better: 'more',
        of: ({ trail }) => trail.f1,
      },
      {
        name: 'trail recall',
        definition: 'share of the changed files that it presents',
        better: 'more',
        of: ({ trail }) => trail.recall,
      },
      {
        name: 'trail precision',
        definition: 'share of the presented files that were changed, where any is',
        better: 'more',
        of: ({ trail }) => trail.precision,
      },
    ],
  },
  {
    title: 'Abstention',
    measures: [
      {
        name: 'abstention',
        definition:
          'of the questions that have no answer, the share for which nothing in the prompt could be taken for one; an empty prompt has 1',
        better: 'more',
        of: ({ abstention }) => abstention.inPrompt,
      },
      {
        name: 'abstention with tools',
        definition: 'the same for the prompt and the answer of one call together',
        better: 'more',
        of: ({ abstention }) => abstention.withTools,
      },
    ],
  },
  {
    title: 'What the prompts take',
    measures: [
      {
        name: 'tokens',
        definition: 'of the messages alone, in prompts in which something is asked; tools are beside them',
        better: 'less',
        of: ({ tokens }) => tokens?.mean ?? null,
        write: whole,
      },
      {
        name: 'tools',
        definition: 'tokens of the tools beside the messages',
        better: 'less',
        of: ({ toolTokens }) => toolTokens?.mean ?? null,
        write: whole,
      },
      {
        name: 'tokens for each item',
        definition: 'tokens of those messages for each item that they showed, of those that were asked for',
        better: 'less',
        of: ({ tokensPerFact }) => tokensPerFact,
        write: whole,
      },
      {
        name: 'prefix stability',
        definition:
          'tokens that a request shares with the beginning of the one before, as a share of the one before: what a provider’s cache can hold',
        better: 'more',
        of: ({ stability }) => stability,
      },
    ],
  },
]

/** An arm without tools has what is in its prompt. */
function bestTool(
  reached: Readonly<Record<string, Estimate | null>>,
  prompt: Estimate | null,
): Estimate | null {
  return Object.values(reached).reduce(
    (best, tool) => (tool !== null && (best === null || tool.mean > best.mean) ? tool : best),
    prompt,
  )
}
