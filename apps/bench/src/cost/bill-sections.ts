import { rowTable } from '../report/arm-table.ts'
import { dollars, outOf, percent, whole } from '../report/format.ts'
import type { Section } from '../report/section.ts'
import { warningsText } from '../report/warnings-text.ts'
import type { BillReport } from './bill-report.ts'

/** What every arm costs on recorded sessions. */
export function billSections({ model, pricesOf, agentTools, rows, skipped }: BillReport): Section[] {
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
        'A bill says which arm is cheaper only between arms that keep as much: who shows nothing pays nothing.',
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
        ['warnings', ({ warnings }) => warningsText(warnings)],
      ]),
    },
  ]
}
