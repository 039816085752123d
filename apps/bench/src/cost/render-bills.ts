import Table from 'cli-table3'
import type { BillReport, BillRow } from './bill-report.ts'
import { dollars, percent, whole } from './units.ts'

/** A table for each budget, an arm a line. */
export function renderBills({ model, pricesOf, agentTools, rows, skipped }: BillReport): string {
  const budgets = [...new Set(rows.map(({ budget }) => budget))]
  const tools = agentTools === undefined ? '' : ` (${whole(agentTools)} tokens)`
  return `${[
    `What each arm costs on the same recorded sessions, at the prices of ${model} of ${pricesOf}, in US dollars. Requests start when they did in the recording, or at a steady pace; each session begins with an empty cache. Every prompt has the agent's tools${tools} beside those of the arm, and the budget is that of the messages alone.`,
    `A model writes 80 % of the length that it is asked for, in words of no meaning, and reads its input at full price. What the agent writes costs the same for all arms and is left out.`,
    ...budgets.map((budget) => renderBudget(rows.filter((row) => row.budget === budget))),
    `÷ best: sticky and summaries, over the least of the engines and peers at that budget (1.00 *). Bounds may be below 1: cheap is who shows little, so read it beside the recall of the same arm.`,
    ...skipped.map(({ file, reason }) => `${file} was skipped: ${reason}`),
  ].join('\n\n')}\n`
}

function renderBudget(rows: readonly BillRow[]): string {
  const [first] = rows
  const table = new Table({
    head: [
      `within ${whole(first?.budget ?? 0)} tokens`,
      'requests',
      'compactions',
      'over budget',
      'prompt,\ntokens',
      'no cache',
      'system_and_3',
      'sticky',
      'read from\nthe cache',
      'summaries',
      'total',
      '÷ best',
      'warnings',
    ],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', ...Array(11).fill('right'), 'left'],
  })
  for (const row of rows)
    table.push([
      row.kind === 'engine' ? row.arm : `${row.arm} (${row.kind})`,
      whole(row.requests),
      whole(row.compactions),
      `${row.overBudget.count} of ${row.overBudget.n}`,
      whole(row.promptTokens),
      dollars(row.uncached),
      dollars(row.systemAnd3),
      dollars(row.sticky),
      percent(row.readShare),
      dollars(row.summaries),
      dollars(row.total),
      `${row.policyRatio.toFixed(2)}${row.isBest ? ' *' : '  '}`,
      warningsText(row.warnings),
    ])
  return table.toString()
}

function warningsText(warnings: BillRow['warnings'] = {}): string {
  return Object.entries(warnings)
    .map(([code, count]) => `${code} ${count}`)
    .join('\n')
}
