import Table from 'cli-table3'
import type { LcmRow } from './lcm-row.ts'
import type { LcmReport } from './run-lcm.ts'

/** The report as a table, and what it missed. */
export function renderLcm({ node, sqlite, seed, rows }: LcmReport): string {
  const table = new Table({
    head: ['operation', 'messages', 'measured', 'floor', 'against', 'ratio', 'target', ''],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'left', 'right', 'right', 'left'],
  })
  for (const row of rows) {
    table.push([
      row.operation,
      row.messages.toLocaleString('en-US'),
      amount(row.measured, row.unit),
      amount(row.floor, row.unit),
      row.against,
      row.ratio.toFixed(2),
      target(row),
      row.passed === undefined ? '' : row.passed ? 'ok' : 'MISSED',
    ])
  }
  const judged = rows.filter(({ passed }) => passed !== undefined)
  const met = judged.filter(({ passed }) => passed).length
  return `${[
    `Node ${node}, SQLite ${sqlite}, seed ${seed}. Every floor was measured in turn with its figure, in this run.`,
    table.toString(),
    `${met} of ${judged.length} targets met.`,
  ].join('\n\n')}\n`
}

function target({ target, exactly }: LcmRow): string {
  if (exactly !== undefined) return `= ${exactly}`
  return target === undefined ? '' : `≤ ${target}`
}

function amount(value: number, unit: LcmRow['unit']): string {
  if (unit === 'bytes') return `${(value / 1e6).toFixed(1)} MB`
  if (unit === 'messages') return value.toLocaleString('en-US')
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`
}
