import { colors } from './colors.ts'

/** Rows of a label and a value, for people. */
export function plainTable(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${colors.dim(label.padEnd(width))}  ${value}`).join('\n')
}
