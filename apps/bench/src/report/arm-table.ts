import type { Estimate } from '../bootstrap.ts'
import { decimal, interval, whole } from './format.ts'
import type { ArmRow, Measure } from './measure.ts'
import { left, right, type Table } from './section.ts'

/** Several figures beside each other, a line for each arm and budget; n is in the head where it is the same for all. */
export function measureTable<Row extends ArmRow>(
  rows: readonly Row[],
  measures: readonly Measure<Row>[],
): Table {
  const columns = measures.map((measure) => ({ measure, n: commonCount(rows, measure) }))
  return {
    columns: [
      left('arm'),
      right('budget'),
      ...columns.map(({ measure, n }) => right(withCount(measure.name, n))),
    ],
    rows: rows.map((row) => [
      row.arm,
      whole(row.budget),
      ...columns.map(({ measure, n }) => cellOf(row, measure, n)),
    ]),
  }
}

/** A figure as it stands in a table. */
export function figureText<Row extends ArmRow>(
  figure: Estimate | number | null,
  { write = (value) => decimal(value, 3) }: Measure<Row>,
): string {
  return typeof figure === 'number' ? write(figure) : interval(figure)
}

/** The n of a measure, if it is one for all. */
function commonCount<Row extends ArmRow>(rows: readonly Row[], measure: Measure<Row>): number | undefined {
  const counts = distinct(rows.flatMap((row) => countOf(measure.of(row))))
  return counts.length === 1 ? counts[0] : undefined
}

function cellOf<Row extends ArmRow>(row: Row, measure: Measure<Row>, common: number | undefined): string {
  const figure = measure.of(row)
  const [own] = common === undefined ? countOf(figure) : []
  return withCount(figureText(figure, measure), own)
}

const withCount = (text: string, n: number | undefined): string =>
  n === undefined ? text : `${text}, n ${whole(n)}`

const countOf = (figure: Estimate | number | null): number[] =>
  typeof figure === 'number' || figure === null ? [] : [figure.n]

/** One line for each arm and budget, a column for each quantity. */
export function rowTable<Row extends ArmRow>(
  rows: readonly Row[],
  quantities: readonly (readonly [name: string, cell: (row: Row) => string])[],
): Table {
  return {
    columns: [left('arm'), right('budget'), ...quantities.map(([name]) => right(name))],
    rows: rows.map((row) => [row.arm, whole(row.budget), ...quantities.map(([, cell]) => cell(row))]),
  }
}

/** The budget in the middle: where there is room for one only. */
export function middleBudget(rows: readonly ArmRow[]): number {
  const budgets = distinct(rows.map(({ budget }) => budget)).sort((a, b) => a - b)
  return budgets[Math.floor(budgets.length / 2)] ?? 0
}

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
