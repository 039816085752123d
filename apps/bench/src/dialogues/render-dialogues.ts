import Table from 'cli-table3'
import type { Estimate } from './bootstrap.ts'
import { ITEM_KINDS } from './dialogue.ts'
import type { DialoguesReport } from './run-dialogues.ts'
import type { ArmSummary } from './summarize-plays.ts'

/** The report as one table for each budget. */
export function renderDialogues({ node, turns, dialogues, rows }: DialoguesReport): string {
  const sizes = dialogues.map(({ tokens }) => tokens).sort((a, b) => a - b)
  const total = (key: 'items' | 'corrected' | 'probes'): number =>
    dialogues.reduce((sum, each) => sum + each[key], 0)
  const budgets = [...new Set(rows.map(({ budget }) => budget))]
  return `${[
    `Node ${node}. ${dialogues.length} generated dialogues of ${turns} user turns, ${whole(sizes[0])} to ${whole(sizes.at(-1))} tokens: ${total('items')} items, of which ${total('corrected')} were wrong at first, asked for at ${total('probes')} turns. LoCoEval-style: no model answers, what is measured is the prompt.`,
    'Mean with its 95 % interval (bootstrap over dialogues, paired between arms); n is the same for every arm.',
    ...budgets.map((budget) =>
      renderBudget(
        budget,
        rows.filter((row) => row.budget === budget),
      ),
    ),
  ].join('\n\n')}\n`
}

function renderBudget(budget: number, rows: readonly ArmSummary[]): string {
  const tools = [...new Set(rows.flatMap(({ reached }) => Object.keys(reached)))]
  const table = new Table({
    head: [`within ${whole(budget)} tokens`, ...rows.map(({ arm }) => arm)],
    style: { head: [], border: [], compact: true },
  })
  const text = (name: string, cell: (row: ArmSummary) => string): void => {
    table.push([name, ...rows.map(cell)])
  }
  // Every arm is asked the same, so n is one for all of them.
  const mean = (name: string, of: (row: ArmSummary) => Estimate | null, cell = share): void => {
    const n = rows.map(of).find((estimate) => estimate !== null)?.n ?? 0
    text(`${name}, n ${whole(n)}`, (row) => cell(of(row)))
  }
  mean('item recall', ({ itemRecall }) => itemRecall)
  for (const kind of ITEM_KINDS) mean(`  ${kind}`, ({ recallByKind }) => recallByKind[kind])
  mean(`  minus ${rows[0]?.arm ?? ''}`, ({ gain }) => gain)
  mean('  settled beyond the budget', ({ earlyRecall }) => earlyRecall)
  for (const tool of tools) mean(`  or one ${tool}`, ({ reached }) => reached[tool] ?? null)
  mean('topic recall', ({ topicRecall }) => topicRecall)
  mean('stale exposure', ({ staleExposure }) => staleExposure)
  mean('  and nothing else', ({ misled }) => misled)
  mean(
    'prompt, tokens',
    ({ tokens }) => tokens,
    (tokens) => whole(Math.round(tokens?.mean ?? 0)),
  )
  mean('prefix stability', ({ stability }) => stability)
  text('requests over the budget', ({ overBudget }) => `${overBudget.count} of ${overBudget.n}`)
  text('compactions', ({ compactions }) => String(compactions))
  text('warnings', ({ warnings }) => {
    const counts = Object.entries(warnings).map(([code, count]) => `${code} ${count}`)
    return counts.length > 0 ? counts.join('\n') : 'none'
  })
  return table.toString()
}

function share(estimate: Estimate | null): string {
  if (estimate === null) return '–'
  const { mean, low, high } = estimate
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
}

const whole = (value = 0): string => value.toLocaleString('en-US')
