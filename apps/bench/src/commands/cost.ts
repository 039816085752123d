import { createTokenCounter } from '@palimpsest/tokens'
import { MATCHING_MODES, measurePlacement, type PlacementRow } from '../cost/measure-placement.ts'
import { type BillReport, runBills } from '../cost/run-bills.ts'
import { runWaits, type WaitRow, WRITER_SPEED } from '../cost/run-waits.ts'
import { exampleSession, generatedSession } from '../cost/session-layouts.ts'
import type { Progress } from '../progress.ts'
import {
  countsText,
  decimal,
  dollars,
  left,
  NOTHING,
  outOf,
  percent,
  right,
  type Section,
  tableOf,
  whole,
} from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { BUDGETS, chooseArms, DATA, ENGINES, openSessions, SEED } from './options.ts'

export const cost = defineMeasure<CostFigures>({
  description: 'what sessions cost with a provider that caches',
  options: [DATA, ENGINES, BUDGETS, SEED],
  async run({ data, engines, budgets, seed }, { root, progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const arms = chooseArms(ARMS, engines)
    const recorded = await openSessions(data, root)
    const tokens = createTokenCounter()
    const bills = await runBills({ ...recorded, arms, budgets, tokens, progress })
    const waits = await runWaits({ ...recorded, tokens, progress })
    return { bills, waits, ...runCost({ seed, progress }) }
  },
  sections: ({ bills, placement, waits }) => [
    billSection(bills),
    waitSection(waits),
    placementSection(placement),
  ],
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
      left('warnings', ({ warnings }) => countsText(warnings)),
    ]),
  }
}

export function waitSection(rows: readonly WaitRow[]): Section {
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

export function placementSection(rows: readonly PlacementRow[]): Section {
  const groups = Map.groupBy(rows, ({ session, model }) => `${session}\n${model}`)
  return {
    level: 3,
    title: 'Breakpoints against the lower bound',
    text:
      'The cost of a strategy, over what the same requests cost at least with the same lifetime with knowledge of the future; ' +
      `the worst of the ${MATCHING_MODES.length} ways in which a provider may match. Four characters count as a token.`,
    table: tableOf(
      [...groups.values()],
      [
        left('session', ([row]) => row?.session ?? ''),
        right('requests', ([row]) => whole(row?.requests ?? 0)),
        left('prices of', ([row]) => row?.model ?? ''),
        right('sticky', (group) => worst(group, 'sticky')),
        right('system_and_3', (group) => worst(group, 'system_and_3')),
        right('sticky: promised', promiseOf),
      ],
    ),
  }
}

const worst = (group: readonly PlacementRow[], wanted: PlacementRow['strategy']): string =>
  decimal(
    Math.max(
      ...group.filter(({ strategy }) => strategy === wanted).map(({ placementRatio }) => placementRatio),
    ),
    4,
  )

function promiseOf(group: readonly PlacementRow[]): string {
  const promise = group.find(({ target }) => target !== undefined)?.target
  const isKept = group.every(({ passed }) => passed !== false)
  return promise === undefined ? NOTHING : `≤ ${promise}, ${isKept ? 'kept' : 'MISSED'}`
}

type CostFigures = ReturnType<typeof runCost> & {
  readonly bills: BillReport
  readonly waits: readonly WaitRow[]
}

interface CostInput {
  readonly seed: number
  readonly progress: Progress
  readonly effort?: number
}

const PLACED = { sessions: 2, messages: 900 }

export function runCost({ seed, progress, effort = 1 }: CostInput) {
  progress.step('placement')
  const generated = Array.from({ length: PLACED.sessions }, (_, index) =>
    generatedSession(seed + index, Math.round(PLACED.messages * effort)),
  )
  const placement = [exampleSession(), ...generated].flatMap(measurePlacement)
  progress.end()
  return { seed, placement }
}
