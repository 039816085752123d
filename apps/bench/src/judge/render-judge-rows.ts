import Table from 'cli-table3'
import type { Estimate } from '../bootstrap.ts'
import type { Count, JudgeRow } from './judge-report.ts'

export interface JudgeRowsInput {
  readonly budget: number
  readonly rows: readonly JudgeRow[]
  /** The judge failed its check: what it judged is marked. */
  readonly isDoubtful: boolean
}

/** A column: its heading, a cell, and whether the judge has a part in it. */
type Column = readonly [heading: string, cell: (row: JudgeRow) => string, isJudged?: 'judged']

/** What came out. */
const SCORES: readonly Column[] = [
  ['answer score', ({ score }) => interval(score), 'judged'],
  ['run by run', ({ scoreByRun }) => scoreByRun.map(short).join(' '), 'judged'],
  ['minus truncate', ({ gain }) => interval(gain), 'judged'],
  ['prompt, tokens', ({ promptTokens }) => (promptTokens === null ? '–' : whole(Math.round(promptTokens)))],
  ['calls an answer', ({ toolCalls }) => toolCalls?.toFixed(1) ?? '–'],
]

/** Who lost what. */
const LOSSES: readonly Column[] = [
  ['fact was shown', ({ shown }) => interval(shown)],
  ['score if shown', ({ scoreGivenShown }) => interval(scoreGivenShown), 'judged'],
  ['score if not shown', ({ scoreGivenNotShown }) => interval(scoreGivenNotShown), 'judged'],
  ['lost by the arm', ({ lostToContext }) => interval(lostToContext), 'judged'],
  ['lost by the answerer', ({ lostToAnswerer }) => interval(lostToAnswerer), 'judged'],
]

/** What was said instead. */
const MISTAKES: readonly Column[] = [
  ['stale, if corrected', ({ stale }) => interval(stale), 'judged'],
  ['not stated', ({ notStated }) => interval(notStated), 'judged'],
  ['wrong', ({ wrong }) => interval(wrong), 'judged'],
  ['no value for what was never said', ({ abstained }) => interval(abstained), 'judged'],
]

/** What is not in the means, and what to look at. */
const COUNTS: readonly Column[] = [
  ['facts accepted without their value', ({ acceptedWithoutValue }) => count(acceptedWithoutValue), 'judged'],
  ['facts not judged', ({ unjudged }) => count(unjudged)],
  ['answers that failed', ({ failed }) => count(failed)],
  ['answers cut off', ({ cutOff }) => count(cutOff)],
]

/** The rows of one budget, in tables that fit into a terminal. */
export function renderJudgeRows({ budget, rows, isDoubtful }: JudgeRowsInput): string {
  return [SCORES, LOSSES, MISTAKES, COUNTS]
    .map((columns) => {
      const headings = columns.map(([heading, , isJudged]) =>
        isJudged && isDoubtful ? `${heading} (?)` : heading,
      )
      const table = new Table({
        head: [`within ${whole(budget)} tokens`, ...headings],
        style: { head: [], border: [], compact: true },
      })
      for (const row of rows) {
        const name = row.variant === 'tools' ? `${row.arm} + its tools` : row.arm
        table.push([name, ...columns.map(([, cell]) => cell(row))])
      }
      return table.toString()
    })
    .join('\n')
}

function interval(estimate: Estimate | null): string {
  if (estimate === null) return '–'
  const { mean, low, high, n } = estimate
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}] n ${whole(n)}`
}

const short = (value: number | null): string => (value === null ? '–' : value.toFixed(2))

const count = ({ count, n }: Count): string => `${whole(count)} of ${whole(n)}`

const whole = (value: number): string => value.toLocaleString('en-US')
