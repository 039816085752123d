import { createTokenCounter } from '@palimpsest/tokens'
import { type BillReport, runBills } from '../cost/run-bills.ts'
import { runWaits, type WaitRow, WRITER_SPEED } from '../cost/run-waits.ts'
import {
  countsText,
  decimal,
  dollars,
  left,
  outOf,
  percent,
  right,
  type Section,
  tableOf,
  whole,
} from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, DATA, ENGINES, openSessions } from './options.ts'

export const cost = defineMeasure<{ readonly bills: BillReport; readonly waits: readonly WaitRow[] }>({
  description: 'what sessions cost with a provider that caches',
  options: [DATA, ENGINES, BUDGETS],
  async run({ data, engines, budgets }, { root, progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const arms = chooseArms(ARMS, engines)
    const recorded = await openSessions(data, root)
    const tokens = createTokenCounter()
    const bills = await runBills({ ...recorded, arms, budgets, tokens, progress })
    const waits = await runWaits({ ...recorded, tokens, progress })
    return { bills, waits }
  },
  sections: ({ bills, waits }) => [billSection(bills), waitSection(waits)],
})

function billSection({ model, pricesOf, agentTools, rows, skipped }: BillReport): Section {
  return {
    title: 'Cost on recorded sessions',
    text: [
      `US dollars for all sessions, at the prices of ${model} of ${pricesOf}, by a simulator of the provider’s cache; nothing is sent. ` +
        `Each prompt has the agent’s tools (${whole(agentTools)} tokens) beside those of the arm; the budget is that of the messages alone. ` +
        'The agent’s own output costs the same for every arm and is left out.',
      'Requests start when they did in the recording, or at a steady pace where it does not say; each session begins with an empty cache.',
      'Summaries are written by a stub of a model: 80 % of the length that it is asked for, in words of no meaning. ' +
        'LangChain’s prompt names no length, so 1,000 tokens are assumed for it; and its model reads everything that it replaces, ' +
        'untrimmed, where LangChain’s default would show it the last 4,000 tokens.',
      'A bill says which arm is cheaper only between arms that keep as much: who shows nothing pays nothing.',
      ...skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
    ],
    points: [
      'no cache, system_and_3, sticky: all prompts, without breakpoints and with those of a strategy',
      'read: part of the tokens that `sticky` reads from the cache',
      'summaries: what a model would be paid for them, at full price, although an engine that asks behind a cached prompt would read most of it from the cache',
      'total: `sticky` and summaries',
      'of the bound: the total, over what the prompts alone cost at least with breakpoints that are placed with knowledge of every later request',
    ],
    table: tableOf(rows, [
      left('arm', ({ arm }) => arm),
      right('budget', ({ budget }) => whole(budget)),
      right('requests', ({ requests }) => whole(requests)),
      right('compactions', ({ compactions }) => whole(compactions)),
      right('over the budget', ({ overBudget }) => outOf(overBudget)),
      right('prompt, tokens', ({ promptTokens }) => whole(promptTokens)),
      right('no cache', ({ uncached }) => dollars(uncached)),
      right('system_and_3', ({ systemAnd3 }) => dollars(systemAnd3)),
      right('sticky', ({ sticky }) => dollars(sticky)),
      right('read', ({ readShare }) => percent(readShare)),
      right('summaries', ({ summaries }) => dollars(summaries)),
      right('total', ({ total }) => dollars(total)),
      right('of the bound', ({ overBound }) => decimal(overBound, 3)),
      left('warnings', ({ warnings }) => countsText(warnings)),
    ]),
  }
}

function waitSection(rows: readonly WaitRow[]): Section {
  return {
    level: 3,
    title: 'Time that requests wait for compactions',
    text:
      'Recorded sessions with the default options of each engine, and the recorded time between requests. ' +
      `The model that writes summaries is assumed to need ${WRITER_SPEED.first} seconds to its first token, and to write ${WRITER_SPEED.tokens} tokens a second.`,
    table: tableOf(rows, [
      left('engine', ({ engine }) => engine),
      right('window', ({ window }) => whole(window)),
      left('compact_at', ({ compactAt }) => compactAt),
      right('compactions', ({ compactions }) => whole(compactions)),
      right('waited for', ({ waitedFor }) => whole(waitedFor)),
      right('seconds in all', ({ waited }) => whole(waited)),
      right('longest', ({ longest }) => whole(longest)),
    ]),
  }
}
