import { type Estimate, estimateDifference, estimateMean, type Sum } from '../bootstrap.ts'
import type { Count, JudgedAnswer, JudgedFact, JudgeRow } from './judge-report.ts'
import { summarizeTasks } from './summarize-tasks.ts'

export type RowKey = Pick<JudgeRow, 'arm' | 'kind' | 'budget' | 'variant'>

export interface RowInput {
  readonly key: RowKey
  /** Those of the row, of all dialogues. */
  readonly answers: readonly JudgedAnswer[]
  /** Those of the bounds within the same budget, without tools. */
  readonly bounds: Readonly<Record<'empty' | 'full' | 'truncate', readonly JudgedAnswer[]>>
  readonly runs: number
}

/** The means over the facts of one arm's answers. */
export function summarizeAnswers({ key, answers, bounds, runs }: RowInput): JudgeRow {
  const dialogues = seedsOf(answers).map((seed) => judgedFacts(ofSeed(answers, seed)))
  const mean = (is: FactTest, of: FactTest = isStated): Estimate | null =>
    estimateMean(dialogues.map((facts) => sumOf(facts.filter(of), is)))
  const came = answers.filter(({ text }) => text !== null)
  return {
    ...key,
    score: mean(holds),
    scoreByRun: Array.from({ length: runs }, (_, index) => {
      const { sum, n } = scoreOf(answers.filter(({ run }) => run === index + 1))
      return n === 0 ? null : sum / n
    }),
    gain: gainOver(bounds.truncate, answers),
    shown: mean(({ isShown }) => isShown),
    scoreGivenShown: mean(holds, (fact) => isStated(fact) && fact.isShown),
    scoreGivenNotShown: mean(holds, (fact) => isStated(fact) && !fact.isShown),
    lostToContext: mean((fact) => !holds(fact) && !fact.isShown),
    lostToAnswerer: mean((fact) => !holds(fact) && fact.isShown),
    stale: mean(
      ({ verdict }) => verdict === 'stale',
      ({ wrong }) => wrong !== null,
    ),
    notStated: mean(isNotStated),
    wrong: mean(({ verdict }) => verdict === 'wrong'),
    abstained: mean(isNotStated, (fact) => !isStated(fact)),
    tasks: summarizeTasks(answers, bounds),
    acceptedWithoutValue: countOf(
      came.flatMap(({ text, facts }) =>
        facts.flatMap((fact) => (fact.value !== null && holds(fact) ? [{ text, value: fact.value }] : [])),
      ),
      ({ text, value }) => !text?.includes(value),
    ),
    unjudged: countOf(
      came.flatMap(({ facts }) => facts),
      ({ verdict }) => verdict === null,
    ),
    failed: countOf(answers, ({ text }) => text === null),
    cutOff: countOf(came, ({ cutOff }) => cutOff),
    toolCalls: average(came.map(({ toolCalls }) => toolCalls)),
    promptTokens: average(answers.map(({ promptTokens }) => promptTokens)),
  }
}

type FactTest = (fact: JudgedFact) => boolean

const isStated: FactTest = ({ value }) => value !== null
const holds: FactTest = ({ verdict }) => verdict === 'holds'
const isNotStated: FactTest = ({ verdict }) => verdict === 'not-stated'

/** Over the dialogues in which both have a verdict: only there are they paired. */
function gainOver(tail: readonly JudgedAnswer[], answers: readonly JudgedAnswer[]): Estimate | null {
  const pairs = seedsOf(answers)
    .map((seed) => ({ own: scoreOf(ofSeed(answers, seed)), other: scoreOf(ofSeed(tail, seed)) }))
    .filter(({ own, other }) => own.n > 0 && other.n > 0)
  return estimateDifference(
    pairs.map(({ own }) => own),
    pairs.map(({ other }) => other),
  )
}

const scoreOf = (answers: readonly JudgedAnswer[]): Sum => sumOf(judgedFacts(answers).filter(isStated), holds)

const seedsOf = (answers: readonly JudgedAnswer[]): number[] => [...new Set(answers.map(({ seed }) => seed))]

const ofSeed = (answers: readonly JudgedAnswer[], seed: number): JudgedAnswer[] =>
  answers.filter((answer) => answer.seed === seed)

const judgedFacts = (answers: readonly JudgedAnswer[]): JudgedFact[] =>
  answers.flatMap(({ facts }) => facts.filter(({ verdict }) => verdict !== null))

function sumOf(facts: readonly JudgedFact[], is: FactTest): Sum {
  return { sum: facts.filter(is).length, n: facts.length }
}

function countOf<T>(values: readonly T[], is: (value: T) => boolean): Count {
  return { count: values.filter(is).length, n: values.length }
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
