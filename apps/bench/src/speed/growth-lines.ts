import { NEIGHBOUR_MESSAGES } from '../lcm/build-store.ts'
import { SIZE } from '../lcm/fill-store.ts'
import { growthOf, type LcmRow } from '../lcm/lcm-row.ts'
import { LEAF, TURN } from '../lcm/measure-engine.ts'
import { OPEN } from '../lcm/measure-open.ts'
import { COMMON, RARE } from '../lcm/measure-search.ts'
import type { GrowthLine } from './speed-report.ts'

type Point = GrowthLine['points'][number]

/**
 * How the lossless engine grows with its store: a line for each thing that should not, with a point for each size.
 * `sizes`: those that were asked for, ascending; a store has a few messages more, because its last turn is finished.
 */
export function growthLines(rows: readonly LcmRow[], sizes: readonly number[]): GrowthLine[] {
  const size = pointsOf(rows, SIZE).map(
    ({ messages, value, unit }): Point => ({
      messages,
      value: value / (messages + NEIGHBOUR_MESSAGES),
      unit,
    }),
  )
  const lines = [
    ...[TURN, LEAF].map((operation) => ({ operation, points: comparedPoints(rows, operation) })),
    ...[OPEN, RARE, COMMON].map((operation) => ({ operation, points: pointsOf(rows, operation) })),
    { operation: 'the file, for each message', points: size },
  ]
  return lines
    .filter(({ points }) => points.length > 1)
    .map(({ operation, points }) => ({
      operation: `lcm on SQLite: ${operation}`,
      points: points.map((point) => ({ ...point, messages: askedFor(point.messages, sizes) })),
    }))
}

/** Figures that each size has by itself; the first of them, where it was compared with several floors. */
function pointsOf(rows: readonly LcmRow[], operation: string): Point[] {
  const own = rows.filter((row) => row.operation === operation)
  return [...Map.groupBy(own, ({ messages }) => messages).values()].flatMap((group) => toPoint(group[0]))
}

/** Figures of the smallest size stand only beside those of larger ones, which they were measured in turn with. */
function comparedPoints(rows: readonly LcmRow[], operation: string): Point[] {
  const smallest = Math.min(...rows.filter((row) => row.operation === SIZE).map(({ messages }) => messages))
  const own = rows.filter((row) => row.operation === growthOf(operation))
  const [first] = own
  if (first === undefined) return []
  return [{ messages: smallest, value: first.floor, unit: first.unit }, ...own.flatMap(toPoint)]
}

function toPoint(row: LcmRow | undefined): Point[] {
  return row === undefined ? [] : [{ messages: row.messages, value: row.measured, unit: row.unit }]
}

function askedFor(messages: number, sizes: readonly number[]): number {
  return sizes.findLast((size) => size <= messages) ?? messages
}
