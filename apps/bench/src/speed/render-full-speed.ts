import Table from 'cli-table3'
import type { FullSpeedReport, GrowthLine, MemoryRow, RatioRow } from './speed-report.ts'

/** The whole speed report as tables. */
export function renderFullSpeed(report: FullSpeedReport): string {
  const { sqlite, seed, ripgrep, rows, growth, memory } = report
  const parts = [
    `SQLite ${sqlite}, seed ${seed}, ripgrep: ${ripgrep ?? 'not installed'}. Times are medians of n runs; every floor was ` +
      'measured in turn with its figure, in this run.',
    ...[...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) => renderGroup(group, own)),
    ...(growth.length > 0 ? [renderGrowth(growth)] : []),
    ...(memory.length > 0 ? [renderMemory(memory)] : []),
    ...report.notMeasured.map((text) => `Not measured: ${text}.`),
  ]
  return `${parts.join('\n\n')}\n`
}

const STYLE = { head: [], border: [], compact: true }

function renderGroup(group: string, rows: readonly RatioRow[]): string {
  const table = new Table({
    head: [group, 'messages', 'n', 'measured', 'floor', 'against', 'ratio', 'target', ''],
    style: STYLE,
    colAligns: ['left', 'right', 'right', 'right', 'right', 'left', 'right', 'right', 'left'],
  })
  for (const row of rows)
    table.push([
      row.operation,
      whole(row.messages),
      row.n ?? '',
      amount(row.measured, row.unit),
      amount(row.floor, row.unit),
      row.against,
      row.ratio.toFixed(row.ratio < 0.1 ? 4 : 2),
      ...verdict(row),
    ])
  return table.toString()
}

/** What was promised, and whether it was kept. */
function verdict({ ratio, target, exactly }: RatioRow): [string, string] {
  if (exactly !== undefined) return [`= ${exactly}`, ratio === exactly ? 'ok' : 'MISSED']
  if (target !== undefined) return [`≤ ${target}`, ratio <= target ? 'ok' : 'MISSED']
  return ['', '']
}

function renderGrowth(lines: readonly GrowthLine[]): string {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ messages }) => messages)))]
  const columns = sizes.sort((a, b) => a - b)
  const table = new Table({
    head: ['growth', ...columns.map(whole), 'last over first'],
    style: STYLE,
    colAligns: ['left', ...columns.map(() => 'right' as const), 'right'],
  })
  for (const { operation, points } of lines) {
    const cells = columns.map((size) => points.find(({ messages }) => messages === size))
    const [first, last] = [points[0], points.at(-1)]
    table.push([
      operation,
      ...cells.map((point) => (point === undefined ? '' : amount(point.value, point.unit))),
      first === undefined || last === undefined ? '' : (last.value / first.value).toFixed(2),
    ])
  }
  return table.toString()
}

function renderMemory(rows: readonly MemoryRow[]): string {
  const table = new Table({
    head: ['memory held', 'messages', 'heap', 'as JSON', 'ratio'],
    style: STYLE,
    colAligns: ['left', 'right', 'right', 'right', 'right'],
  })
  for (const { what, messages, heap, floor } of rows)
    table.push([
      what,
      whole(messages),
      amount(heap, 'bytes'),
      amount(floor, 'bytes'),
      (heap / floor).toFixed(2),
    ])
  return table.toString()
}

function amount(value: number, unit: string): string {
  if (unit === 'bytes')
    return value < 1e5 ? `${whole(Math.round(value))} B` : `${(value / 1e6).toFixed(1)} MB`
  if (unit === 'messages') return whole(value)
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`
}

function whole(value: number): string {
  return value.toLocaleString('en-US')
}
