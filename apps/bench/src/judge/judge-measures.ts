import about from '../../data/measures.json' with { type: 'json' }
import { estimateDifference, estimateMean, named } from '../report/measure.ts'
import type { Count, Estimate } from '../report/section.ts'
import type { JudgedAnswer, JudgedFact } from './answer-dialogue.ts'
import type { TaskResult } from './question.ts'

/** An arm's answers within one budget, and those of `truncate` without tools. */
export interface JudgedPlays {
  readonly answers: readonly JudgedAnswer[]
  readonly tail: readonly JudgedAnswer[]
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

export const JUDGE_MEASURES = named(about.judge, {
  ta: task(f1('TA')),
  ie: task(f1('IE')),
  fc: task(passes),
  score: share(holds),
  gain: ({ answers, tail }: JudgedPlays) => gainOver(tail, answers),
  promptTokens: ({ answers }: JudgedPlays) => average(answers.map(({ promptTokens }) => promptTokens)),
  toolCalls: ({ answers }: JudgedPlays) => average(answers.filter(hasCome).map(({ toolCalls }) => toolCalls)),
  shown: share(({ isShown }) => isShown),
  scoreGivenShown: share(holds, (fact) => isStated(fact) && fact.isShown),
  scoreGivenNotShown: share(holds, (fact) => isStated(fact) && !fact.isShown),
  lostToContext: share((fact) => !holds(fact) && !fact.isShown),
  lostToAnswerer: share((fact) => !holds(fact) && fact.isShown),
  stale: share(
    ({ verdict }) => verdict === 'stale',
    ({ wrong }) => wrong !== null,
  ),
  notStated: share(isNotStated),
  wrong: share(({ verdict }) => verdict === 'wrong'),
  abstained: share(isNotStated, (fact) => !isStated(fact)),
})

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
