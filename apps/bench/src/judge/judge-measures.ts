import { decimal, whole } from '../report/format.ts'
import type { Measure } from '../report/measure.ts'
import type { JudgeRow } from './judge-report.ts'

/** Measures of answers that are looked at together. */
export interface JudgeTopic {
  readonly title: string
  readonly measures: readonly JudgeMeasure[]
}

export interface JudgeMeasure extends Measure<JudgeRow> {
  /** Whether the judge has a part in it: worth as much as the judge is. */
  readonly isJudged: boolean
}

/** The first of the topics. */
export const TASKS_TITLE = 'TA, IE and FC'

/** What models make of the projections: what came out, who lost what, what was said instead. */
export const JUDGE_TOPICS: readonly JudgeTopic[] = [
  {
    title: TASKS_TITLE,
    measures: [
      {
        name: 'TA F1',
        definition:
          'topic awareness: the answerer lists what came up in the dialogue, the judge matches each line with one title at most and each title with one line; F1 of the list against all titles',
        isJudged: true,
        of: ({ tasks }) => tasks.ta,
      },
      {
        name: 'IE F1',
        definition: 'information extraction: the same for all that was settled about a topic, as it holds',
        isJudged: true,
        of: ({ tasks }) => tasks.ie,
      },
      {
        name: 'IE precision',
        definition: 'matched lines, as a share of all lines',
        isJudged: true,
        of: ({ tasks }) => tasks.iePrecision,
      },
      {
        name: 'IE recall',
        definition: 'matched items, as a share of all items',
        isJudged: true,
        of: ({ tasks }) => tasks.ieRecall,
      },
      {
        name: 'FC pass@1',
        definition:
          'function completion: the answerer writes the function of a topic; the share that gives what it must for every input of its tests',
        isJudged: false,
        of: ({ tasks }) => tasks.fc,
      },
      {
        name: 'FC pass@k',
        definition: 'the share of the functions of which at least one of the runs does',
        isJudged: false,
        of: ({ tasks }) => tasks.fcAny,
      },
      ...(['TA', 'IE', 'FC'] as const).map(
        (kind): JudgeMeasure => ({
          name: `${kind} normalised`,
          definition: `the figure for ${kind}, where \`empty\` is 0 and \`full\` is 1`,
          isJudged: kind !== 'FC',
          of: ({ tasks }) => tasks.normalized[kind],
        }),
      ),
    ],
  },
  {
    title: 'Answers: what holds',
    measures: [
      {
        name: 'score',
        definition: 'share of the judged facts that hold in the answer',
        isJudged: true,
        of: ({ score }) => score,
      },
      {
        name: 'minus truncate',
        definition: 'the score minus that of `truncate` without tools, on the same dialogues',
        isJudged: true,
        of: ({ gain }) => gain,
      },
      {
        name: 'prompt, tokens',
        definition: 'of the messages of the projection',
        isJudged: false,
        of: ({ promptTokens }) => promptTokens,
        write: whole,
      },
      {
        name: 'calls an answer',
        definition: 'calls of the arm’s tools',
        isJudged: false,
        of: ({ toolCalls }) => toolCalls,
        write: (calls) => decimal(calls, 1),
      },
    ],
  },
  {
    title: 'Answers: who lost what',
    measures: [
      {
        name: 'shown',
        definition:
          'share of the judged facts that stood in what the answerer was shown, results of tools included',
        isJudged: false,
        of: ({ shown }) => shown,
      },
      {
        name: 'score given shown',
        definition: 'the score of those',
        isJudged: true,
        of: ({ scoreGivenShown }) => scoreGivenShown,
      },
      {
        name: 'score given not shown',
        definition: 'the score of the others: guesses, and values that stood without a word of their subject',
        isJudged: true,
        of: ({ scoreGivenNotShown }) => scoreGivenNotShown,
      },
      {
        name: 'lost to context',
        definition: 'facts that do not hold and were not shown, as a share of all',
        isJudged: true,
        of: ({ lostToContext }) => lostToContext,
      },
      {
        name: 'lost to the answerer',
        definition: 'facts that do not hold and were shown, as a share of all',
        isJudged: true,
        of: ({ lostToAnswerer }) => lostToAnswerer,
      },
    ],
  },
  {
    title: 'Answers: what was said instead',
    measures: [
      {
        name: 'stale',
        definition:
          'of the facts that were corrected by then, the share whose old value was given as what holds',
        isJudged: true,
        of: ({ stale }) => stale,
      },
      {
        name: 'not stated',
        definition: 'of all facts, those that the answer leaves out',
        isJudged: true,
        of: ({ notStated }) => notStated,
      },
      {
        name: 'wrong',
        definition: 'of all facts, those with another value',
        isJudged: true,
        of: ({ wrong }) => wrong,
      },
      {
        name: 'abstained',
        definition: 'of the questions about what was never said, the share without a value in the answer',
        isJudged: true,
        of: ({ abstained }) => abstained,
      },
    ],
  },
]
