import Table from 'cli-table3'
import { MATCHING_MODES } from './cost-profiles.ts'
import type { PlacementRow } from './measure-placement.ts'

/** One line for each session, price and scenario; a column for each strategy and way to match. */
export function renderPlacement(rows: readonly PlacementRow[]): string {
  const table = new Table({
    head: [
      'cost ÷ bound',
      'requests',
      'read',
      'scenario',
      ...MATCHING_MODES.map((mode) => `sticky\n${mode}`),
      ...MATCHING_MODES.map((mode) => `system_and_3\n${mode}`),
      'sticky ÷ bound\nof any lifetime',
      'promised',
      '',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'right', 'left', ...Array(7).fill('right'), 'left', 'left'],
  })
  for (const group of groupsOf(rows)) {
    const [first] = group
    const ratios = (strategy: PlacementRow['strategy']) =>
      MATCHING_MODES.map((mode) => {
        const row = group.find((one) => one.strategy === strategy && one.mode === mode)
        return row === undefined ? '' : row.placementRatio.toFixed(4)
      })
    const sticky = group.filter(({ strategy }) => strategy === 'sticky')
    const judged = sticky.filter(({ passed }) => passed !== undefined)
    table.push([
      first.session,
      first.requests,
      first.read.toFixed(2),
      first.scenario,
      ...ratios('sticky'),
      ...ratios('system_and_3'),
      Math.max(...sticky.map(({ anyLifetimeRatio }) => anyLifetimeRatio)).toFixed(4),
      first.target === undefined ? '' : `≤ ${first.target}`,
      judged.length === 0 ? '' : judged.every(({ passed }) => passed) ? 'ok' : 'MISSED',
    ])
  }
  return table.toString()
}

/** Rows that differ in strategy and way to match alone. */
function groupsOf(rows: readonly PlacementRow[]): [PlacementRow, ...PlacementRow[]][] {
  const groups = new Map<string, [PlacementRow, ...PlacementRow[]]>()
  for (const row of rows) {
    const key = `${row.session} ${row.model} ${row.scenario}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups.values()]
}
