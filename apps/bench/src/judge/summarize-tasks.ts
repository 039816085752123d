import { type Estimate, estimateMean, type Sum } from '../bootstrap.ts'
import type { JudgedAnswer } from './judge-report.ts'
import type { TaskResult, TaskScores } from './task-result.ts'

type Score = (result: TaskResult) => number | null

/** The scores of an arm's answers, and those of the bounds for scale. */
export function summarizeTasks(
  answers: readonly JudgedAnswer[],
  bounds: Readonly<Record<'empty' | 'full', readonly JudgedAnswer[]>>,
): TaskScores {
  const normalize = (score: Score): number | null => {
    const [own, least, most] = [answers, bounds.empty, bounds.full].map((each) => meanOf(each, score)?.mean)
    if (own === undefined || least === undefined || most === undefined || most === least) return null
    return (own - least) / (most - least)
  }
  return {
    ta: meanOf(answers, f1('TA')),
    ie: meanOf(answers, f1('IE')),
    iePrecision: meanOf(answers, precision),
    ieRecall: meanOf(answers, recall),
    fc: meanOf(answers, passes),
    fcAny: anyOf(answers),
    normalized: { TA: normalize(f1('TA')), IE: normalize(f1('IE')), FC: normalize(passes) },
  }
}

/** 0 for an empty list. */
const f1 =
  (kind: 'TA' | 'IE'): Score =>
  (result) =>
    result.kind !== kind || result.matches === null
      ? null
      : (2 * matched(result.matches)) / (result.lines.length + result.gold.length)

const recall: Score = (result) =>
  result.kind !== 'IE' || result.matches === null ? null : matched(result.matches) / result.gold.length

/** An empty list has none. */
const precision: Score = (result) =>
  result.kind !== 'IE' || result.matches === null || result.lines.length === 0
    ? null
    : matched(result.matches) / result.lines.length

const passes: Score = (result) =>
  result.kind !== 'FC' || result.isRight === null ? null : Number(result.isRight)

const matched = (matches: readonly (number | null)[]): number =>
  matches.filter((match) => match !== null).length

function meanOf(answers: readonly JudgedAnswer[], score: Score): Estimate | null {
  return estimateMean(
    [...Map.groupBy(answers, ({ seed }) => seed).values()].map((each) => sumOf(scores(each, score))),
  )
}

/** A function that no run answered is none. */
function anyOf(answers: readonly JudgedAnswer[]): Estimate | null {
  const dialogues = [...Map.groupBy(answers, ({ seed }) => seed).values()]
  return estimateMean(
    dialogues.map((dialogue) => {
      const runs = [...Map.groupBy(dialogue, ({ message }) => message).values()].map((each) =>
        scores(each, passes),
      )
      return sumOf(runs.filter((each) => each.length > 0).map((each) => Math.max(...each)))
    }),
  )
}

const scores = (answers: readonly JudgedAnswer[], score: Score): number[] =>
  answers.flatMap(({ task }) => (task === null ? [] : (score(task) ?? [])))

const sumOf = (values: readonly number[]): Sum => ({
  sum: values.reduce((sum, value) => sum + value, 0),
  n: values.length,
})
