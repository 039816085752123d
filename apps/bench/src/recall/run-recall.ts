import type { TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { empty, full, truncate } from '../arms/bounds.ts'
import type { Progress } from '../progress.ts'
import type { ReadSessions } from '../sessions/read-sessions.ts'
import { measureNativeCompactions } from './native-compactions.ts'
import { type Play, playRecall } from './play-recall.ts'
import type { AfterCompactionRow, NativeRow, RecallReport, RecallRow, SessionFacts } from './recall-report.ts'
import { readForRecall, type SessionReading } from './session-reading.ts'
import { summarizeAfterCompaction, summarizeRecall } from './summarize-recall.ts'

export interface RecallInput extends ReadSessions {
  /** What is compared. The bounds are always played, because every share is seen against them. */
  readonly arms: readonly Arm[]
  /** Tokens. */
  readonly budgets: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

const BOUNDS: readonly Arm[] = [empty, full, truncate]

/** Plays every session once with every arm at every budget. */
export async function runRecall(input: RecallInput): Promise<RecallReport> {
  const { budgets, tokens, progress, skipped } = input
  const arms = [...BOUNDS, ...input.arms.filter(({ name }) => BOUNDS.every((bound) => bound.name !== name))]
  progress.step('reading identifiers')
  const beyond = Math.min(...budgets)
  const readings = input.sessions.map((session) => readForRecall({ session, tokens, beyond }))
  const rows: RecallRow[] = []
  const afterCompaction: AfterCompactionRow[] = []
  for (const budget of budgets) {
    const played = new Map<Arm, Play[]>()
    const playsOf = (arm: Arm): Play[] => played.get(arm) ?? []
    for (const arm of arms) {
      progress.step(`recall: ${arm.name} within ${budget} tokens`)
      const plays: Play[] = []
      played.set(arm, plays)
      for (const reading of readings) {
        plays.push(await playRecall({ arm, reading, budget, tokens }))
        progress.done(plays.length, readings.length)
      }
    }
    for (const arm of arms) {
      const [least, most, tail] = [playsOf(empty), playsOf(full), playsOf(truncate)]
      const plays = { arm, budget, plays: playsOf(arm), empty: least, full: most, truncate: tail }
      rows.push(summarizeRecall(plays))
      const after = summarizeAfterCompaction(plays)
      if (after !== null) afterCompaction.push(after)
    }
  }
  const native: NativeRow[] = []
  progress.step('recall: native compactions')
  for (const reading of readings) native.push(...(await measureNativeCompactions({ reading, arms, tokens })))
  return {
    budgets,
    sessions: readings.map((reading) => factsOf(reading, budgets)),
    skipped,
    rows,
    afterCompaction,
    native,
  }
}

function factsOf(
  { session, sizes, identifiers, references }: SessionReading,
  budgets: readonly number[],
): SessionFacts {
  const far = (budget: number, of: 'assistant' | 'user'): number =>
    references.filter(({ distance, role }) => distance > budget && role === of).length
  return {
    name: session.name,
    messages: session.messages.length,
    tokens: sizes.reduce((sum, size) => sum + size, 0),
    identifiers: identifiers.size,
    far: budgets.map((budget) => ({
      budget,
      assistant: far(budget, 'assistant'),
      user: far(budget, 'user'),
    })),
  }
}
