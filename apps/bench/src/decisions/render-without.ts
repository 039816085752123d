import Table from 'cli-table3'
import type { Without } from './run-without.ts'

/** What each piece earns: the right and the wrong findings that are there only with it, and what it costs. */
export function renderWithout(part: string, [whole, ...rows]: readonly Without[]): string {
  const table = new Table({
    head: [
      'without',
      'value precision',
      'recall',
      'strict precision',
      'recall',
      'earns',
      'errs',
      'lines or phrases',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
  })
  const share = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
  for (const { piece, value, strict, size } of whole === undefined ? [] : [whole, ...rows]) {
    const errors =
      whole === undefined ? 0 : whole.value.findings - whole.value.hits - (value.findings - value.hits)
    table.push([
      piece === '' ? '(nothing)' : piece,
      share(value.precision),
      share(value.recall),
      share(strict.precision),
      share(strict.recall),
      piece === '' ? '' : String((whole?.value.hits ?? 0) - value.hits),
      piece === '' ? '' : String(errors),
      size === undefined ? '' : String(size),
    ])
  }
  return `${part}\n${table.toString()}\n`
}
