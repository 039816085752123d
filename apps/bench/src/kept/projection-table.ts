import type { Estimate } from '../bootstrap.ts'
import { interval, whole } from '../report/format.ts'
import { left, right, type Table } from '../report/section.ts'

interface ProjectionRow<Measure extends string> {
  readonly engine: string
  readonly arm: string
  readonly compactions: number
  readonly tokens: number
  readonly shares: Readonly<Record<Measure, Estimate | null>>
}

/** Engines, each with simple projections of its size below it. `counted`: the measures whose n is shown. */
export function projectionTable<Measure extends string>(
  rows: readonly ProjectionRow<Measure>[],
  names: Readonly<Record<Measure, string>>,
  measures: readonly Measure[],
  counted = measures,
): Table {
  return {
    columns: [
      left('engine'),
      left('arm of its size'),
      right('tokens'),
      ...measures.map((measure) => right(names[measure])),
      right('n'),
    ],
    rows: rows.map(({ engine, arm, tokens, shares, compactions }) => [
      arm === engine ? `${engine}, ${whole(compactions)} compactions` : '',
      arm,
      whole(tokens),
      ...measures.map((measure) => interval(shares[measure])),
      counted.map((measure) => whole(shares[measure]?.n ?? 0)).join(' '),
    ]),
  }
}
