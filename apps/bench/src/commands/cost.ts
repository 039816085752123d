import type { TokenCounter } from '@palimpsest/core'
import {
  compareRecorded,
  findPricing,
  knownPricing,
  type RecordedCacheReport,
} from '@palimpsest/prompt-caching'
import { createTokenCounter } from '@palimpsest/tokens'
import { measurePauses, patternPauses, pausesSection, recordedPauses } from '../cost/measure-pauses.ts'
import {
  MATCHING_MODES,
  measurePlacement,
  type PlacementRow,
  USUAL_MODEL,
} from '../cost/measure-placement.ts'
import { type BillReport, runBills } from '../cost/run-bills.ts'
import { exampleSession, generatedSession, PAUSES_TEXT } from '../cost/session-layouts.ts'
import type { Progress } from '../progress.ts'
import {
  type Counts,
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
import { BUDGETS, chooseArms, DATA, ENGINES, openSessions, type ReadSessions, SEED } from './options.ts'

export const cost = defineMeasure<CostFigures>({
  description: 'what sessions cost with a provider that caches',
  options: [DATA, ENGINES, BUDGETS, SEED],
  async run({ data, engines, budgets, seed }, { root, progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const arms = chooseArms(ARMS, engines)
    const recorded = await openSessions(data, root)
    const bills = await runBills({ ...recorded, arms, budgets, tokens: createTokenCounter(), progress })
    return { bills, ...(await runCost({ seed, recorded, progress })) }
  },
  sections: costSections,
})

function costSections({ bills, placement, recorded, pauses }: CostFigures): Section[] {
  return [billSection(bills), placementSection(placement), recordedSection(recorded), pausesSection(pauses)]
}

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

export function placementSection(rows: readonly PlacementRow[]): Section {
  const groups = Map.groupBy(rows, ({ session, model, scenario }) => `${session}\n${model}\n${scenario}`)
  return {
    level: 3,
    title: 'Breakpoints against the lower bound',
    text:
      'The cost of a strategy, over what the same requests cost at least with the same lifetime with knowledge of the future; ' +
      `the worst of the ${MATCHING_MODES.length} ways in which a provider may match. Four characters count as a token. ` +
      `Pauses: the worked example has 8, 8 and 40 minutes; the generated sessions, ${PAUSES_TEXT}.`,
    table: tableOf(
      [...groups.values()],
      [
        left('session', ([row]) => row?.session ?? ''),
        right('requests', ([row]) => whole(row?.requests ?? 0)),
        left('prices of', ([row]) => row?.model ?? ''),
        left('scenario', ([row]) => row?.scenario ?? ''),
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

/** All that `bench cost` measures. */
type CostFigures = Awaited<ReturnType<typeof runCost>> & { readonly bills: BillReport }

interface CostInput {
  readonly seed: number
  readonly recorded: ReadSessions
  readonly progress: Progress
  /** Smaller measures the same on less, for a quick look. Default 1. */
  readonly effort?: number
}

const PLACED = { sessions: 2, messages: 900 }
/** Messages of the sessions with made-up pauses. */
const PAUSED = [900, 300, 60]

export async function runCost({ seed, recorded, progress, effort = 1 }: CostInput) {
  const lengthOf = (messages: number) => Math.round(messages * effort)
  const tokens = createTokenCounter()
  progress.step('placement')
  const generated = Array.from({ length: PLACED.sessions }, (_, index) =>
    generatedSession(seed + index, lengthOf(PLACED.messages)),
  )
  const placement = [exampleSession(), ...generated].flatMap(measurePlacement)
  progress.step('recorded sessions')
  const compared = measureRecorded(recorded, tokens)
  progress.step('pauses')
  const pauses = measurePauses([
    ...(await recordedPauses(recorded.sessions, tokens)),
    ...patternPauses(seed, PAUSED.map(lengthOf)),
  ])
  progress.end()
  return { seed, placement, recorded: compared, pauses }
}

type RecordedResult = ReturnType<typeof measureRecorded>

/** Compares every session; with the rules of the usual model where none is named whose prices are known. */
export function measureRecorded({ sessions, skipped }: ReadSessions, tokens: TokenCounter) {
  const rows = sessions.map((session) => {
    const profile = knownPricing(session.model ?? USUAL_MODEL) ?? findPricing({ model: USUAL_MODEL })
    return { file: session.name, model: profile.model, report: compareRecorded(session, profile, tokens) }
  })
  return { rows, skipped }
}

type Miss = keyof RecordedCacheReport['misses']

/** Causes of each kind of difference. */
const EXPLANATIONS: Readonly<Record<Miss, string>> = {
  nothingRead:
    'nothing was read within the lifetime, not even the system prompt: the prompt began differently, or the provider had dropped the entry',
  headOnly:
    'tools and system prompt were read and no message: an earlier message was another one than the recording says, or the host had compacted',
  moreRead:
    'more was read than the simulator had written: another session wrote the same beginning, or the entry lived longer than promised',
  other: 'a part was read that no breakpoint of the plan explains',
}
const KINDS = Object.keys(EXPLANATIONS) as Miss[]

/** The simulator's reads and writes beside those of recordings. */
export function recordedSection({ rows, skipped }: RecordedResult): Section {
  const occurred = KINDS.filter((kind) => rows.some(({ report }) => (report?.misses[kind] ?? 0) > 0))
  return {
    level: 3,
    title: 'The simulator beside what providers reported',
    text: [
      'Median difference of reads and writes per request, as a share of the prompt, where a recording says what was read; by recorded sizes, and the reads also by our counts. A request differs when it is off by more than 1 %.',
      ...occurred.map((kind) => `${kind}: ${EXPLANATIONS[kind]}.`),
      ...skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
    ],
    table: tableOf(rows, [
      left('session', ({ file }) => file),
      left('rules of', ({ model }) => model),
      right('requests', ({ report }) => whole(report?.requests ?? 0)),
      right('reads', ({ report }) => error(report?.medianReadError)),
      right('writes', ({ report }) => error(report?.medianWriteError)),
      right('reads by our counts', ({ report }) => error(report?.medianCountedError)),
      left('differ', ({ report }) =>
        report === null ? 'fewer than two answers say what was read' : countsText(missesOf(report)),
      ),
    ]),
  }
}

const error = (share: number | undefined): string => (share === undefined ? NOTHING : percent(share, 3))

const missesOf = ({ misses }: RecordedCacheReport): Counts =>
  Object.fromEntries(Object.entries(misses).filter(([, count]) => count > 0))
