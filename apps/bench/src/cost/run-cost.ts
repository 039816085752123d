import compressor from '@palimpsest/compressor'
import { countMessages, type Message, roughTokenCounter } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import { createTokenCounter } from '@palimpsest/tokens'
import type { Engine } from '../arms/engine-arm.ts'
import { ENGINES } from '../arms/engines.ts'
import { generateDialogue } from '../dialogues/generate-dialogue.ts'
import { LEAST_TURNS } from '../dialogues/run-dialogues.ts'
import type { Progress } from '../progress.ts'
import type { ReadSessions } from '../sessions/read-sessions.ts'
import { shortOnly, USUAL_MODEL } from './cost-profiles.ts'
import { type EngineCostInput, type EngineCostRow, measureEngineCost } from './measure-engine-cost.ts'
import { measurePauses, patternPauses, recordedPauses } from './measure-pauses.ts'
import { measurePlacement } from './measure-placement.ts'
import { measurePlanning } from './measure-planning.ts'
import { measureRecorded } from './measure-recorded.ts'
import type { BillReport } from './run-bills.ts'
import { exampleSession, generatedSession } from './session-layouts.ts'

export const COST_ARMS: readonly Engine[] = [
  ...ENGINES,
  {
    name: 'decisions over compressor',
    engine: decisions,
    options: { compaction: { engine: compressor, options: {} } },
  },
]

const PAUSED_ARMS = COST_ARMS.filter(({ name }) => name === 'compressor lean' || name === 'lcm')

/** The described system: it renders its decisions anew for each request, and its sizes are the same in every window. */
export const SEED_ARM: Engine = { name: 'decisions seed', engine: decisions, options: { profile: 'seed' } }

/** All that `bench cost` measures. */
export type CostFigures = Awaited<ReturnType<typeof runCost>> & { readonly bills: BillReport }

export interface CostInput {
  readonly seed: number
  readonly windows: readonly number[]
  readonly recorded?: ReadSessions
  readonly progress: Progress
  /** Smaller measures the same on less, for a quick look. Default 1. */
  readonly effort?: number
}

const PLACED = { sessions: 2, messages: 900 }
/** Messages of the sessions with made-up pauses. */
const PAUSED = [900, 300, 60]
const PLANNED = { messages: 2000, runs: 40 }
/** Length of a conversation in windows: enough for several compactions, and for two in a large window. */
const LENGTH = { small: 4, large: 1.6, largeFrom: 500_000 }

export async function runCost(input: CostInput) {
  const { seed, windows, progress, effort = 1 } = input
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
  progress.step('recorded sessions')
  const recorded = input.recorded === undefined ? null : measureRecorded(input.recorded, createTokenCounter())
  progress.step('pauses')
  const pauses = measurePauses([
    ...(input.recorded === undefined
      ? []
      : await recordedPauses(input.recorded.sessions, createTokenCounter())),
    ...patternPauses(
      seed,
      PAUSED.map((messages) => Math.round(messages * effort)),
    ),
  ])
  const engines = await runEngines({ seed, windows, progress, effort })
  progress.end()
  return { seed, placement, recorded, pauses, engines, planning }
}

/** Every arm in every window; then some of them again with pauses, compacting at the threshold and when it is cheapest. */
async function runEngines({
  seed,
  windows,
  progress,
  effort,
}: Omit<Required<CostInput>, 'recorded'>): Promise<EngineCostRow[]> {
  const profile = shortOnly(USUAL_MODEL)
  const rows: EngineCostRow[] = []
  const play = async (
    arm: Engine,
    messages: readonly Message[],
    options: Pick<EngineCostInput, 'window' | 'pacing' | 'compactAt'>,
  ) => {
    const requests = messages.filter(({ role }) => role === 'assistant').length
    const { window, pacing, compactAt } = options
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
    for (const arm of arms) await play(arm, messages, { window, pacing: 'steady', compactAt: 'threshold' })
  }
  const messages = longDialogue(seed, lengthOf(smallest))
  for (const arm of PAUSED_ARMS)
    for (const compactAt of ['threshold', 'cheapest'] as const)
      await play(arm, messages, { window: smallest, pacing: 'with pauses', compactAt })
  return rows
}

/** A generated dialogue's turns have at least so many tokens. */
const LEAST_TOKENS_OF_TURN = 1000

/** A dialogue of a user and a coding agent with decisions in it, cut off where it has so many tokens. */
export function longDialogue(seed: number, tokens: number): readonly Message[] {
  const turns = Math.max(LEAST_TURNS, Math.ceil(tokens / LEAST_TOKENS_OF_TURN))
  const { messages } = generateDialogue({ seed, turns })
  if (countMessages(roughTokenCounter, messages) < tokens) return messages
  let size = 0
  const end = messages.findIndex((message) => {
    size += roughTokenCounter.countMessage(message)
    return size > tokens
  })
  return messages.slice(0, end)
}
