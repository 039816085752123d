import Table from 'cli-table3'
import type { EngineCostRow } from './measure-engine-cost.ts'
import { dollars, percent, whole } from './units.ts'

type Cell = readonly [name: string, cell: (row: EngineCostRow) => string]

const COMPACTIONS: readonly Cell[] = [
  ['compactions', ({ compactions }) => String(compactions.count)],
  ['  after a pause', ({ compactions }) => String(compactions.cold)],
  ['  prompt behind one, tokens', ({ compactions }) => whole(compactions.prompt)],
  ['  of which summaries', ({ compactions }) => whole(compactions.summaries)],
  ['  written again or new', ({ compactions }) => whole(compactions.rewritten)],
  ['  read across it', ({ compactions }) => percent(compactions.keptShare)],
  ['  messages as before, tokens', ({ compactions }) => whole(compactions.sameMessages)],
  ['  a warm one costs in cache', ({ compactions }) => dollars(compactions.usd)],
  ['  all, share of the bill', ({ compactions }) => percent(compactions.billShare, 2)],
]

const BILL: readonly Cell[] = [
  ['prompts: sticky', ({ usd }) => dollars(usd.sticky)],
  ['  system_and_3', ({ usd }) => dollars(usd.systemAnd3)],
  ['  uncached', ({ usd }) => dollars(usd.uncached)],
  ['  bound', ({ usd }) => dollars(usd.bound)],
  ['  sticky ÷ bound', ({ placementRatio }) => placementRatio.toFixed(4)],
  ['  tokens read from the cache', ({ readShare }) => percent(readShare, 2)],
  ['summaries by the same model', ({ usd }) => dollars(usd.summaries)],
  ['turns read by the same model', ({ usd }) => dollars(usd.rest)],
  ['all, for 1,000 requests', ({ usd }) => dollars(usd.per1000)],
]

const CELLS: readonly Cell[] = [
  ['requests', ({ requests }) => whole(requests)],
  ...COMPACTIONS,
  ['head lost without one', ({ lost }) => String(lost)],
  ...BILL,
  ['warnings', ({ warnings }) => warningsText(warnings)],
]

/** One table for each window, an engine a column; then those with pauses. */
export function renderEngineCost(rows: readonly EngineCostRow[]): string[] {
  const steady = rows.filter(({ pacing }) => pacing === 'steady')
  const windows = [...new Set(steady.map(({ window }) => window))]
  return windows.map((window) => {
    const columns = steady.filter((row) => row.window === window)
    return renderColumns(`window of ${whole(window)}`, columns, ({ arm }) => arm.replaceAll(' ', '\n'))
  })
}

/** What it saves to compact when it is cheapest. */
export function renderTiming(rows: readonly EngineCostRow[]): string {
  const paused = rows.filter(({ pacing }) => pacing === 'with pauses')
  const [first] = paused
  if (first === undefined) return ''
  return renderColumns(
    `pauses, window of ${whole(first.window)}`,
    paused,
    ({ arm, compactAt }) => `${arm}\n${compactAt}`,
  )
}

function renderColumns(
  title: string,
  rows: readonly EngineCostRow[],
  nameOf: (row: EngineCostRow) => string,
): string {
  const table = new Table({
    head: [title, ...rows.map(nameOf)],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', ...rows.map(() => 'right' as const)],
  })
  for (const [name, cell] of CELLS) table.push([name, ...rows.map(cell)])
  return table.toString()
}

function warningsText(warnings: EngineCostRow['warnings']): string {
  return (
    Object.entries(warnings)
      .map(([code, count]) => `${code} ${count}`)
      .join('\n') || 'none'
  )
}
