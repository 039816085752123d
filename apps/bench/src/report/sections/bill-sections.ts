import type { BillReport, BillRow } from '../../cost/bill-report.ts'
import type { RecallRow } from '../../recall/recall-report.ts'
import { rowTable } from '../arm-table.ts'
import type { ArmFacts } from '../bench-report.ts'
import { tradeOffChart } from '../charts/trade-off-chart.ts'
import { dollars, outOf, percent, whole } from '../format.ts'
import type { Measure } from '../measure.ts'
import type { Section } from '../section.ts'
import { warningsText } from './warnings-text.ts'

/** What is compared between the bills of arms. */
export const BILL_MEASURES: readonly Measure<BillRow>[] = [
  {
    name: 'Bill: prompts and summaries',
    definition:
      'US dollars for all sessions: prompts with `sticky` breakpoints, and what a model’s summaries cost.',
    better: 'less',
    of: ({ total }) => total,
    write: dollars,
  },
  {
    name: 'Bill: part read from the cache',
    definition: 'Part of the prompts’ tokens that `sticky` reads from the cache.',
    better: 'more',
    of: ({ readShare }) => readShare,
    write: (share) => percent(share),
  },
]

export interface BillSectionsInput {
  readonly bills: BillReport
  /** What the same arms keep, for the picture of what is bought. */
  readonly recall: readonly RecallRow[]
  readonly arms: readonly ArmFacts[]
}

/** What every arm costs on recorded sessions. */
export function billSections({ bills, recall, arms }: BillSectionsInput): Section[] {
  const { model, pricesOf, agentTools, rows, skipped } = bills
  const tools = agentTools === undefined ? '' : ` (${whole(agentTools)} tokens)`
  return [
    {
      level: 2,
      title: 'Cost on recorded sessions',
      text: [
        `US dollars for all sessions, at the prices of ${model} of ${pricesOf}, by a simulator of the provider’s cache; nothing is sent. Each prompt has the agent’s tools${tools} beside those of the arm; the budget is that of the messages alone. What the agent itself writes costs the same for every arm and is left out.`,
        'Requests start when they did in the recording, or at a steady pace where it does not say; each session begins with an empty cache.',
        'No cache, `system_and_3`, `sticky`: all prompts with these breakpoints. Summaries: what a model would be paid for writing them and reading what they are of, at full price. Total: `sticky` and summaries.',
        'Summaries are written by a stub of a model: 80 % of the length that it is asked for, in words of no meaning. LangChain’s prompt names no length, so 1,000 tokens are assumed for it; and its model reads everything that it replaces, untrimmed, where LangChain’s default would show it the last 4,000 tokens.',
        '`policyRatio`: total over the least total of the engines and peers within the same budget (1.00 is that one). Bounds may be below 1: who shows nothing pays nothing. It compares policies only between arms that keep as much, so read it beside their recall.',
        ...skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
      ],
      table: rowTable(rows, [
        ['requests', ({ requests }) => whole(requests)],
        ['compactions', ({ compactions }) => whole(compactions)],
        ['over the budget', ({ overBudget }) => outOf(overBudget)],
        ['prompt, tokens', ({ promptTokens }) => whole(promptTokens)],
        ['no cache', ({ uncached }) => dollars(uncached)],
        ['system_and_3', ({ systemAnd3 }) => dollars(systemAnd3)],
        ['sticky', ({ sticky }) => dollars(sticky)],
        ['read from the cache', ({ readShare }) => percent(readShare)],
        ['summaries', ({ summaries }) => dollars(summaries)],
        ['total', ({ total }) => dollars(total)],
        ['policyRatio', ({ policyRatio }) => policyRatio.toFixed(2)],
        ['warnings', ({ warnings }) => warningsText(warnings)],
      ]),
    },
    ...(recall.length === 0
      ? []
      : [
          {
            level: 3 as const,
            title: 'Recall against cost',
            text: [
              'What is bought: far re-reference recall of the assistant, beside the total of the same arm within the same budget. A line joins the budgets of an arm; the larger the budget, the larger the point. Up and to the left is better.',
              'The two sides are not of one run: recall is that with the offline summariser, which costs nothing; the total has summaries that the stub of a model wrote, and their price. Who pays for a model’s summaries may keep more than is shown here, or less.',
            ],
            chart: tradeOffChart({ bills: rows, recall, arms }),
          },
        ]),
  ]
}
