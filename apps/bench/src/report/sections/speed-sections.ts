import type { FullSpeedReport, GrowthLine, RatioRow } from '../../speed/speed-report.ts'
import { distinct } from '../arm-table.ts'
import { growthChart } from '../charts/growth-chart.ts'
import { bytes, decimal, milliseconds, NOTHING, whole } from '../format.ts'
import { left, right, type Section, type Table } from '../section.ts'

/** How long it takes, against floors of the same run. */
export function speedSections(report: FullSpeedReport): Section[] {
  const { sqlite, seed, ripgrep, notMeasured, rows, growth, memory } = report
  const promised = rows.filter((row) => promiseOf(row) !== undefined)
  const kept = promised.filter(isKept)
  return [
    {
      level: 2,
      title: 'Speed',
      text: [
        `Every time is a ratio to a floor that was measured in turn with it, so that a busy machine is unfair to neither; n is how often each of the two was measured, and a time is their median. SQLite ${sqlite}, seed ${seed}, ${ripgrep === null ? 'no ripgrep' : ripgrep.split(', ').at(-1)}. Ratios move from run to run; times say something about this machine only.`,
        `${kept.length} of ${promised.length} promises kept.`,
      ],
      ...(notMeasured.length > 0 && { points: notMeasured.map((reason) => `Not measured: ${reason}`) }),
    },
    ...distinct(rows.map(({ group }) => group)).map(
      (group): Section => ({
        level: 3,
        title: `Speed: ${group}`,
        text: [],
        table: ratioTable(rows.filter((row) => row.group === group)),
      }),
    ),
    ...(growth.length === 0
      ? []
      : [
          {
            level: 3 as const,
            title: 'Growth',
            text: [
              'What an operation costs as the conversation grows; the picture shows it as a multiple of the shortest one. Flat is a cost that does not depend on the length.',
            ],
            table: growthTable(report),
            chart: growthChart(growth),
          },
        ]),
    ...(memory.length === 0 ? [] : [memorySection(memory)]),
  ]
}

function memorySection(memory: FullSpeedReport['memory']): Section {
  return {
    level: 3,
    title: 'Memory',
    text: ['What is still held behind a garbage collection, against the messages as JSON.'],
    table: {
      columns: [left('what'), ...['messages', 'held', 'as JSON', 'ratio'].map(right)],
      rows: memory.map(({ what, messages, heap, floor }) => [
        what,
        whole(messages),
        bytes(heap),
        bytes(floor),
        decimal(heap / floor, 2),
      ]),
    },
  }
}

function isKept({ ratio, target, exactly }: RatioRow): boolean {
  if (exactly !== undefined) return ratio === exactly
  return target === undefined || ratio <= target
}

function promiseOf({ target, exactly }: RatioRow): string | undefined {
  if (exactly !== undefined) return `= ${exactly}`
  return target === undefined ? undefined : `≤ ${target}`
}

const ratioTable = (rows: readonly RatioRow[]): Table => ({
  columns: [
    left('operation'),
    right('messages'),
    right('n'),
    right('measured'),
    right('floor'),
    left('against'),
    right('ratio'),
    right('promised'),
  ],
  rows: rows.map((row) => [
    row.operation,
    whole(row.messages),
    row.n === undefined ? NOTHING : whole(row.n),
    amount(row.measured, row.unit),
    amount(row.floor, row.unit),
    row.against,
    decimal(row.ratio, row.ratio < 0.1 ? 4 : 2),
    promiseOf(row) === undefined ? NOTHING : `${promiseOf(row)}, ${isKept(row) ? 'kept' : 'MISSED'}`,
  ]),
})

function amount(value: number, unit: string): string {
  if (unit === 'bytes') return bytes(value)
  return unit === 'ms' ? milliseconds(value) : whole(value)
}

function growthTable({ growth }: FullSpeedReport): Table {
  const sizes = distinct(growth.flatMap(({ points }) => points.map(({ messages }) => messages))).sort(
    (a, b) => a - b,
  )
  return {
    columns: [
      left('operation'),
      ...sizes.map((size) => right(`${whole(size)} messages`)),
      right('last ÷ first'),
    ],
    rows: growth.map(({ operation, points }) => [
      operation,
      ...sizes.map((size) => {
        const point = points.find(({ messages }) => messages === size)
        if (point === undefined) return NOTHING
        return amount(point.value, point.unit)
      }),
      lastOverFirst(points),
    ]),
  }
}

function lastOverFirst(points: GrowthLine['points']): string {
  const [first, last] = [points[0], points.at(-1)]
  return first === undefined || last === undefined ? NOTHING : decimal(last.value / first.value, 2)
}
