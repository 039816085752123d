import type { EngineEntry } from '@palimpsest/core/discovery'
import { colors } from '../colors.ts'

export function describeEntry({ available, source, reason, description }: EngineEntry): string {
  if (source === 'none') return colors.red(reason === 'not found' ? '(not found)' : `(${reason})`)
  return available ? (description ?? '') : colors.red(`not available: ${reason}`)
}

export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}
