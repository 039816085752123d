import Table from 'cli-table3'
import type { Estimate } from '../bootstrap.ts'
import type { ArmSummary } from './arm-summary.ts'
import { ITEM_KINDS } from './dialogue.ts'
import type { DialoguesReport } from './run-dialogues.ts'

/** The report as one table for each budget. */
export function renderDialogues({ node, turns, dialogues, rows }: DialoguesReport): string {
  const sizes = dialogues.map(({ tokens }) => tokens).sort((a, b) => a - b)
  const total = (
    key: 'items' | 'corrected' | 'contested' | 'probes' | 'needles' | 'files' | 'changedFiles',
  ) => whole(dialogues.reduce((sum, each) => sum + each[key], 0))
  const budgets = [...new Set(rows.map(({ budget }) => budget))]
  return `${[
    `Node ${node}. ${dialogues.length} generated dialogues of ${turns} user turns, ${whole(sizes[0])} to ${whole(sizes.at(-1))} tokens: ${total('items')} items, of which ${total('corrected')} were wrong at first, asked for at ${total('probes')} turns; ${total('contested')} contested things, ${total('needles')} planted facts, ${total('files')} files of which ${total('changedFiles')} were changed. LoCoEval-style: no model answers, what is measured is the prompt.`,
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
  // Every arm is asked the same; where n differs nevertheless, the figure has its own.
  const mean = (name: string, of: (row: ArmSummary) => Estimate | null, cell = share): void => {
    const counts = new Set(rows.map(of).flatMap((estimate) => estimate?.n ?? []))
    const isSame = counts.size < 2
    text(isSame ? `${name}, n ${whole([...counts][0])}` : name, (row) => {
      const estimate = of(row)
      return isSame || estimate === null ? cell(estimate) : `${cell(estimate)} n ${whole(estimate.n)}`
    })
  }
  mean('item recall', ({ itemRecall }) => itemRecall)
  for (const kind of ITEM_KINDS) mean(`  ${kind}`, ({ recallByKind }) => recallByKind[kind])
  mean('  minus truncate', ({ gain }) => gain)
  mean('  empty 0, full 1', ({ normalized }) => normalized)
  mean('  settled beyond the budget', ({ earlyRecall }) => earlyRecall)
  for (const tool of tools) {
    mean(`  or one ${tool}`, ({ reached }) => reached[tool] ?? null)
    mean(`  or three ${tool}`, ({ reachedAt3 }) => reachedAt3[tool] ?? null)
    mean(`  tokens of ${tool}`, ({ searchTokens }) => searchTokens[tool] ?? null, rounded)
  }
  mean('topic recall', ({ topicRecall }) => topicRecall)
  mean('update accuracy', ({ updateAccuracy }) => updateAccuracy)
  mean('stale exposure', ({ staleExposure }) => staleExposure)
  mean('  and nothing else', ({ misled }) => misled)
  mean('contradictions flagged', ({ contradictions }) => contradictions.flagged)
  mean('  or with one call', ({ contradictions }) => contradictions.flaggedWithTools)
  mean('  the user said both', ({ contradictions }) => contradictions.by.user)
  mean('  the assistant changed it', ({ contradictions }) => contradictions.by.assistant)
  mean('  falsely flagged', ({ contradictions }) => contradictions.falselyFlagged)
  mean('artifact trail F1', ({ trail }) => trail.f1)
  mean('  recall', ({ trail }) => trail.recall)
  mean('  precision', ({ trail }) => trail.precision)
  mean('abstention', ({ abstention }) => abstention.inPrompt)
  mean('  also with one call', ({ abstention }) => abstention.withTools)
  mean('planted facts', ({ needles }) => needles.recall)
  mean('  said by the user', ({ needles }) => needles.by.user)
  mean('  in a tool result', ({ needles }) => needles.by.tool)
  for (const tool of tools) {
    mean(`  or one ${tool}`, ({ needles }) => needles.reached[tool] ?? null)
    mean(`  or three ${tool}`, ({ needles }) => needles.reachedAt3[tool] ?? null)
  }
  mean('prompt, tokens', ({ tokens }) => tokens, rounded)
  mean('tools beside it, tokens', ({ toolTokens }) => toolTokens, rounded)
  text('tokens for each item shown', ({ tokensPerFact }) =>
    tokensPerFact === null ? '–' : whole(Math.round(tokensPerFact)),
  )
  text('items in each tenth, %', ({ position }) => position.map((part) => Math.round(part * 100)).join(' '))
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

const rounded = (estimate: Estimate | null): string =>
  estimate === null ? '–' : whole(Math.round(estimate.mean))

const whole = (value = 0): string => value.toLocaleString('en-US')
