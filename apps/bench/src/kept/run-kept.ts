import { countMessages, type TokenCounter } from '@palimpsest/core'
import type { EngineArm } from '../arms/engine-arm.ts'
import { type Estimate, estimateMean } from '../bootstrap.ts'
import type { Progress } from '../progress.ts'
import type { RecordedSession } from '../sessions/recorded-session.ts'
import { askedAt, type Kept, keptIn } from './kept-in.ts'
import { type KeptReading, readForKept } from './kept-reading.ts'
import { replay } from './replay.ts'
import { SIMPLE_PROJECTIONS } from './simple-projections.ts'

/** The measures by name, in the order of the tables. */
export const MEASURES = ['names', 'relations', 'words'] as const

/** What an engine, or a projection of the same size as its own, kept over all compactions of all sessions. */
export interface KeptRow {
  readonly engine: string
  /** The window, in tokens. */
  readonly window: number
  /** The engine's name, or that of a simple projection. */
  readonly arm: string
  readonly compactions: number
  /** Mean size of the projections behind compactions, in tokens. */
  readonly tokens: number
  readonly shares: Readonly<Record<(typeof MEASURES)[number], Estimate | null>>
}

export interface KeptInput {
  readonly sessions: readonly RecordedSession[]
  readonly engines: readonly EngineArm[]
  /** In tokens. */
  readonly windows: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

/** Cases and what each arm kept of them, in one session. */
interface Tally {
  n: Record<keyof Kept, number>
  readonly arms: Map<string, Record<keyof Kept | 'tokens', number>>
  compactions: number
}

/**
 * Replays sessions with engines as users get them, and looks at the projection behind each compaction, and at simple
 * projections of the same transcript in the same number of tokens.
 */
export async function runKept(input: KeptInput): Promise<KeptRow[]> {
  const { sessions, engines, windows, progress } = input
  const readings = sessions.map(({ messages }) => readForKept(messages))
  const rows: KeptRow[] = []
  for (const window of windows) {
    for (const engine of engines) {
      progress.step(`kept: ${engine.name} in a window of ${window} tokens`)
      const tallies: Tally[] = []
      for (const reading of readings) {
        tallies.push(await tally(reading, engine, window, input.tokens))
        progress.done(tallies.length, readings.length)
      }
      rows.push(...rowsOf(engine.name, window, tallies))
    }
  }
  progress.end()
  return rows
}

async function tally(
  reading: KeptReading,
  engine: EngineArm,
  window: number,
  tokens: TokenCounter,
): Promise<Tally> {
  const tally: Tally = { n: { names: 0, relations: 0, words: 0 }, arms: new Map(), compactions: 0 }
  const { messages } = reading
  for await (const { index, projections } of replay({ messages, engine, window, tokens })) {
    const asked = askedAt(reading, index)
    tally.compactions++
    tally.n.names += asked.names.length
    tally.n.relations += asked.pairs.length
    tally.n.words += asked.words.length
    for (const [arm, list] of projections) {
      const kept = keptIn(list, asked, reading)
      const sums = tally.arms.get(arm) ?? { names: 0, relations: 0, words: 0, tokens: 0 }
      for (const measure of MEASURES) sums[measure] += kept[measure]
      sums.tokens += countMessages(tokens, list)
      tally.arms.set(arm, sums)
    }
  }
  return tally
}

function rowsOf(engine: string, window: number, tallies: readonly Tally[]): KeptRow[] {
  const compactions = tallies.reduce((sum, tally) => sum + tally.compactions, 0)
  const arms = compactions === 0 ? [] : [engine, ...SIMPLE_PROJECTIONS.map(({ name }) => name)]
  return arms.map((arm) => {
    const total = tallies.reduce((sum, tally) => sum + (tally.arms.get(arm)?.tokens ?? 0), 0)
    const share = (measure: keyof Kept): Estimate | null =>
      estimateMean(tallies.map(({ n, arms }) => ({ sum: arms.get(arm)?.[measure] ?? 0, n: n[measure] })))
    const shares = { names: share('names'), relations: share('relations'), words: share('words') }
    return { engine, window, arm, compactions, tokens: total / compactions, shares }
  })
}
