import { createTokenCounter } from '@palimpsest/tokens'
import type { Progress } from '../progress.ts'
import type { ReadSessions } from '../sessions/read-sessions.ts'
import { measurePauses, patternPauses, recordedPauses } from './measure-pauses.ts'
import { measurePlacement } from './measure-placement.ts'
import { measureRecorded } from './measure-recorded.ts'
import type { BillReport } from './run-bills.ts'
import { exampleSession, generatedSession } from './session-layouts.ts'

/** All that `bench cost` measures. */
export type CostFigures = Awaited<ReturnType<typeof runCost>> & { readonly bills: BillReport }

export interface CostInput {
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
