import { type Estimate, estimateDifference, estimateMean, type Measure } from '../report/measure.ts'
import { type Count, decimal, whole } from '../report/section.ts'
import type { JudgedAnswer, JudgedFact } from './answer-dialogue.ts'
import type { TaskResult } from './question.ts'

/** An arm's answers within one budget, and those of `truncate` without tools. */
export interface JudgedPlays {
  readonly answers: readonly JudgedAnswer[]
  readonly tail: readonly JudgedAnswer[]
}

export interface JudgeMeasure extends Measure<JudgedPlays> {
  /** Measures of one topic are looked at together. */
  readonly topic: string
  /** Whether the judge has a part in it: worth as much as the judge is. */
  readonly isJudged: boolean
}

type FactTest = (fact: JudgedFact) => boolean

const isStated: FactTest = ({ value }) => value !== null
const holds: FactTest = ({ verdict }) => verdict === 'holds'
const isNotStated: FactTest = ({ verdict }) => verdict === 'not-stated'

const byDialogue = (answers: readonly JudgedAnswer[]): JudgedAnswer[][] => [
  ...Map.groupBy(answers, ({ seed }) => seed).values(),
]

const factsOf = (answers: readonly JudgedAnswer[], is: FactTest, of: FactTest = isStated): boolean[] =>
  answers.flatMap(({ facts }) => facts.filter((fact) => fact.verdict !== null && of(fact)).map(is))

const share =
  (is: FactTest, of?: FactTest) =>
  ({ answers }: JudgedPlays): Estimate | null =>
    estimateMean(byDialogue(answers).map((each) => factsOf(each, is, of)))

type Score = (result: TaskResult) => number | null

/** 0 for an empty list. */
const f1 =
  (kind: 'TA' | 'IE'): Score =>
  (result) =>
    result.kind !== kind || result.matches === null
      ? null
      : (2 * matched(result.matches)) / (result.lines.length + result.gold.length)

const passes: Score = (result) =>
  result.kind !== 'FC' || result.isRight === null ? null : Number(result.isRight)

const matched = (matches: readonly (number | null)[]): number =>
  matches.filter((match) => match !== null).length

const scores = (answers: readonly JudgedAnswer[], score: Score): number[] =>
  answers.flatMap(({ task }) => (task === null ? [] : (score(task) ?? [])))

const task =
  (score: Score) =>
  ({ answers }: JudgedPlays): Estimate | null =>
    estimateMean(byDialogue(answers).map((each) => scores(each, score)))

/** Over the dialogues in which both have a verdict: only there are they paired. */
function gainOver(tail: readonly JudgedAnswer[], answers: readonly JudgedAnswer[]): Estimate | null {
  const others = Map.groupBy(tail, ({ seed }) => seed)
  const pairs = byDialogue(answers)
    .map((own) => [factsOf(own, holds), factsOf(others.get(own[0]?.seed ?? 0) ?? [], holds)] as const)
    .filter(([own, other]) => own.length > 0 && other.length > 0)
  return estimateDifference(
    pairs.map(([own]) => own),
    pairs.map(([, other]) => other),
  )
}

const average = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const TASKS = { topic: 'TA, IE and FC', isJudged: true }
const HOLDS = { topic: 'Answers: what holds', isJudged: true }
const LOST = { topic: 'Answers: who lost what', isJudged: true }
const INSTEAD = { topic: 'Answers: what was said instead', isJudged: true }

export const JUDGE_MEASURES = {
  ta: {
    ...TASKS,
    name: 'TA F1',
    definition:
      'topic awareness: the answerer lists what came up in the dialogue, the judge matches each line with one title at most and each title with one line; F1 of the list against all titles',
    of: task(f1('TA')),
  },
  ie: {
    ...TASKS,
    name: 'IE F1',
    definition: 'information extraction: the same for all that was settled about a topic, as it holds',
    of: task(f1('IE')),
  },
  fc: {
    ...TASKS,
    name: 'FC pass@1',
    definition:
      'function completion: the answerer writes the function of a topic; the share that gives what it must for every input of its tests',
    isJudged: false,
    of: task(passes),
  },
  score: {
    ...HOLDS,
    name: 'score',
    definition: 'share of the judged facts that hold in the answer',
    of: share(holds),
  },
  gain: {
    ...HOLDS,
    name: 'minus truncate',
    definition: 'the score minus that of `truncate` without tools, on the same dialogues',
    of: ({ answers, tail }) => gainOver(tail, answers),
  },
  promptTokens: {
    ...HOLDS,
    name: 'prompt, tokens',
    definition: 'of the messages of the projection',
    isJudged: false,
    of: ({ answers }) => average(answers.map(({ promptTokens }) => promptTokens)),
    write: whole,
  },
  toolCalls: {
    ...HOLDS,
    name: 'calls an answer',
    definition: 'calls of the arm’s tools',
    isJudged: false,
    of: ({ answers }) => average(answers.filter(hasCome).map(({ toolCalls }) => toolCalls)),
    write: (calls) => decimal(calls, 1),
  },
  shown: {
    ...LOST,
    name: 'shown',
    definition:
      'share of the judged facts that stood in what the answerer was shown, results of tools included',
    isJudged: false,
    of: share(({ isShown }) => isShown),
  },
  scoreGivenShown: {
    ...LOST,
    name: 'score given shown',
    definition: 'the score of those',
    of: share(holds, (fact) => isStated(fact) && fact.isShown),
  },
  scoreGivenNotShown: {
    ...LOST,
    name: 'score given not shown',
    definition: 'the score of the others: guesses, and values that stood without a word of their subject',
    of: share(holds, (fact) => isStated(fact) && !fact.isShown),
  },
  lostToContext: {
    ...LOST,
    name: 'lost to context',
    definition: 'facts that do not hold and were not shown, as a share of all',
    of: share((fact) => !holds(fact) && !fact.isShown),
  },
  lostToAnswerer: {
    ...LOST,
    name: 'lost to the answerer',
    definition: 'facts that do not hold and were shown, as a share of all',
    of: share((fact) => !holds(fact) && fact.isShown),
  },
  stale: {
    ...INSTEAD,
    name: 'stale',
    definition: 'of the facts that were corrected by then, the share whose old value was given as what holds',
    of: share(
      ({ verdict }) => verdict === 'stale',
      ({ wrong }) => wrong !== null,
    ),
  },
  notStated: {
    ...INSTEAD,
    name: 'not stated',
    definition: 'of all facts, those that the answer leaves out',
    of: share(isNotStated),
  },
  wrong: {
    ...INSTEAD,
    name: 'wrong',
    definition: 'of all facts, those with another value',
    of: share(({ verdict }) => verdict === 'wrong'),
  },
  abstained: {
    ...INSTEAD,
    name: 'abstained',
    definition: 'of the questions about what was never said, the share without a value in the answer',
    of: share(isNotStated, (fact) => !isStated(fact)),
  },
} as const satisfies Readonly<Record<string, JudgeMeasure>>

function hasCome({ text }: JudgedAnswer): boolean {
  return text !== null
}

export function checksOf(answers: readonly JudgedAnswer[], runs: number) {
  const came = answers.filter(hasCome)
  const accepted = came.flatMap(({ text, facts }) =>
    facts.flatMap((fact) => (fact.value !== null && holds(fact) ? [!text?.includes(fact.value)] : [])),
  )
  return {
    /** The score of each run alone: how much the models differ from themselves. Null for a run without a judged fact. */
    scoreByRun: Array.from({ length: runs }, (_, index) =>
      average(
        factsOf(
          answers.filter(({ run }) => run === index + 1),
          holds,
        ).map(Number),
      ),
    ),
    /** Facts that the judge accepted although their value stands nowhere in the answer, letter for letter. */
    acceptedWithoutValue: countOf(accepted),
    /** Facts without a verdict, and answers that never came: in no mean. Answers that were cut off are judged as they are. */
    unjudged: countOf(came.flatMap(({ facts }) => facts.map(({ verdict }) => verdict === null))),
    failed: countOf(answers.map(({ text }) => text === null)),
    cutOff: countOf(came.map(({ cutOff }) => cutOff)),
  }
}

const countOf = (values: readonly boolean[]): Count => ({
  count: values.filter(Boolean).length,
  n: values.length,
})
