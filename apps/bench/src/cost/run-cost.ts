import type { Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Progress } from '../progress.ts'
import type { RatioRow } from '../speed/ratio-row.ts'
import type { BillReport } from './bill-report.ts'
import { COST_ARMS, type CostArm, PAUSED_ARMS, SEED_ARM } from './cost-arms.ts'
import { shortOnly, USUAL_MODEL } from './cost-profiles.ts'
import { longDialogue } from './long-dialogue.ts'
import { type EngineCostRow, measureEngineCost } from './measure-engine-cost.ts'
import { measurePlacement, type PlacementRow } from './measure-placement.ts'
import { measurePlanning } from './measure-planning.ts'
import { measureRecorded, type RecordedResult } from './measure-recorded.ts'
import { exampleSession, generatedSession } from './session-layouts.ts'

export interface CostReport {
  readonly seed: number
  readonly placement: readonly PlacementRow[]
  /** Null without a folder of recorded sessions. */
  readonly recorded: RecordedResult | null
  readonly engines: readonly EngineCostRow[]
  readonly planning: readonly RatioRow[]
}

/** All that `bench cost` measures. */
export interface CostFigures extends CostReport {
  readonly bills: BillReport
}

export interface CostInput {
  readonly seed: number
  /** Windows of the engines, in tokens. */
  readonly windows: readonly number[]
  /** Folder of recorded sessions. Default: none. */
  readonly data?: string
  readonly progress: Progress
  /** Smaller measures the same on less, for a quick look. Default 1. */
  readonly effort?: number
}

/** Generated sessions for the placement, and their length in messages. */
const PLACED = { sessions: 2, messages: 900 }
const PLANNED = { messages: 2000, runs: 40 }
/** How much longer than the window a conversation is: enough for several compactions, and for two in a large window. */
const LENGTH = { small: 4, large: 1.6, largeFrom: 500_000 }

/** All figures about the bill, one section after the other. */
export async function runCost({ seed, windows, data, progress, effort = 1 }: CostInput): Promise<CostReport> {
  // First, because times are not what they would be beside a large heap.
  progress.step('planning')
  const planning = await measurePlanning({
    messages: Math.round(PLANNED.messages * effort),
    runs: Math.ceil(PLANNED.runs * effort),
    seed,
  })
  progress.step('placement')
  const sessions = [
    exampleSession(),
    ...Array.from({ length: PLACED.sessions }, (_, index) =>
      generatedSession(seed + index, Math.round(PLACED.messages * effort)),
    ),
  ]
  const placement = sessions.flatMap((session, index) => {
    progress.done(index, sessions.length)
    return measurePlacement(session)
  })
  let recorded: RecordedResult | null = null
  if (data !== undefined) {
    progress.step(`recorded sessions of ${data}`)
    recorded = await measureRecorded(data, createTokenCounter(), progress)
  }
  const engines = await runEngines({ seed, windows, progress, effort })
  progress.end()
  return { seed, placement, recorded, engines, planning }
}

/** Every arm in every window; then some of them again with pauses, compacting at the threshold and when it is cheapest. */
async function runEngines({
  seed,
  windows,
  progress,
  effort,
}: Omit<Required<CostInput>, 'data'>): Promise<EngineCostRow[]> {
  const profile = shortOnly(USUAL_MODEL)
  const rows: EngineCostRow[] = []
  const play = async (
    arm: CostArm,
    messages: readonly Message[],
    options: Pick<Parameters<typeof measureEngineCost>[0], 'window' | 'pacing' | 'compactAt'>,
  ) => {
    const requests = messages.filter(({ role }) => role === 'assistant').length
    const { window, pacing = 'steady', compactAt = 'threshold' } = options
    progress.step(`${arm.name} within ${window} tokens, ${pacing}, ${compactAt}`)
    const onRequest = (done: number) => progress.done(done, requests)
    rows.push(await measureEngineCost({ arm, messages, profile, seed, onRequest, ...options }))
  }
  const lengthOf = (window: number) =>
    window * (window < LENGTH.largeFrom ? LENGTH.small : LENGTH.large) * effort
  const smallest = Math.min(...windows)
  for (const window of windows) {
    const messages = longDialogue(seed, lengthOf(window))
    const arms = window === smallest ? [...COST_ARMS, SEED_ARM] : COST_ARMS
    for (const arm of arms) await play(arm, messages, { window })
  }
  const messages = longDialogue(seed, lengthOf(smallest))
  for (const arm of PAUSED_ARMS)
    for (const compactAt of ['threshold', 'cheapest'] as const)
      await play(arm, messages, { window: smallest, pacing: 'with pauses', compactAt })
  return rows
}
