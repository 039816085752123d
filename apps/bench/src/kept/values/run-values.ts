import { countMessages, type TokenCounter } from '@palimpsest/core'
import type { EngineArm } from '../../arms/engine-arm.ts'
import { type Estimate, estimateMean } from '../../bootstrap.ts'
import type { Progress } from '../../progress.ts'
import { distinct } from '../../report/arm-table.ts'
import { replay } from '../replay.ts'
import { type AskedValue, readValues, type Standing, valuesAt } from './standing.ts'
import { generateValueDialogue, type Way } from './value-dialogue.ts'

/** The measures by name, in the order of the tables. */
export const VALUE_MEASURES = ['current', 'oldAlone', 'oldUnmarked'] as const

/** What an engine, or a projection of the same size as its own, says of values over all compactions of all dialogues. */
export interface ValueRow {
  readonly engine: string
  /** The window, in tokens. */
  readonly window: number
  /** The engine's name, or that of a simple projection. */
  readonly arm: string
  readonly compactions: number
  /** Mean size of the projections behind compactions, in tokens. */
  readonly tokens: number
  readonly shares: Readonly<Record<keyof Standing, Estimate | null>>
  /** `current` by the user's latest word on the subject. */
  readonly currentBy: Readonly<Partial<Record<Way, Estimate | null>>>
}

/** A statement of the user that some projections of an engine do not show as it is. */
export interface ValueFailure {
  readonly engine: string
  readonly window: number
  readonly seed: number
  readonly subject: string
  readonly way: Way
  /** Null where it was taken back. */
  readonly value: string | null
  readonly sentence: string
  /** Values that are over. */
  readonly olds: readonly string[]
  /** Index of the statement's message. */
  readonly at: number
  /** Compactions at which it was the latest word on its subject, and those with a fault. */
  readonly compactions: number
  readonly notCurrent: number
  readonly oldAlone: number
  readonly oldUnmarked: number
}

export interface ValuesInput {
  readonly engines: readonly EngineArm[]
  /** In tokens. */
  readonly windows: readonly number[]
  /** Dialogues have the seeds from 1 to this. */
  readonly seeds: number
  readonly tokens: TokenCounter
  readonly progress: Progress
}

export interface ValuesReport {
  /** How many dialogues. */
  readonly seeds: number
  readonly rows: readonly ValueRow[]
  readonly failures: readonly ValueFailure[]
}

/** A projection behind a compaction of a dialogue. */
interface Shown {
  readonly arm: string
  readonly seed: number
  readonly tokens: number
  readonly cases: readonly Case[]
}

/** One subject in one projection. */
type Case = AskedValue & Standing

/** Replays generated dialogues with engines as users get them, and looks for every value behind each compaction. */
export async function runValues(input: ValuesInput): Promise<ValuesReport> {
  const { engines, windows, seeds, tokens, progress } = input
  const dialogues = Array.from({ length: seeds }, (_, index) => generateValueDialogue(index + 1))
  const rows: ValueRow[] = []
  const failures: ValueFailure[] = []
  for (const window of windows) {
    for (const engine of engines) {
      progress.step(`values: ${engine.name} in a window of ${window} tokens`)
      const shown: Shown[] = []
      for (const [index, { messages, statements }] of dialogues.entries()) {
        for await (const compaction of replay({ messages, engine, window, tokens })) {
          const asked = valuesAt(statements, compaction.index)
          for (const [arm, list] of compaction.projections) {
            const standingOf = readValues(list)
            const cases = asked.map((each) => ({ ...each, ...standingOf(each) }))
            shown.push({ arm, seed: index + 1, tokens: countMessages(tokens, list), cases })
          }
        }
        progress.done(index + 1, seeds)
      }
      const setting = { engine: engine.name, window }
      rows.push(...rowsOf(shown).map((row) => ({ ...setting, ...row })))
      const own = shown.filter(({ arm }) => arm === engine.name)
      failures.push(...failuresOf(own).map((failure) => ({ ...setting, ...failure })))
    }
  }
  progress.end()
  return { seeds, rows, failures }
}

function rowsOf(shown: readonly Shown[]): Omit<ValueRow, 'engine' | 'window'>[] {
  return distinct(shown.map(({ arm }) => arm)).map((arm) => {
    const own = shown.filter((each) => each.arm === arm)
    const share = (measure: keyof Standing, isAsked: (each: Case) => boolean): Estimate | null =>
      estimateMean(
        distinct(own.map(({ seed }) => seed)).map((seed) => {
          const cases = own.filter((each) => each.seed === seed).flatMap(({ cases }) => cases.filter(isAsked))
          return { sum: cases.filter((each) => each[measure]).length, n: cases.length }
        }),
      )
    const hasOld = ({ olds }: Case): boolean => olds.length > 0
    const ways = distinct(own.flatMap(({ cases }) => cases.map(({ latest }) => latest.way)))
    return {
      arm,
      compactions: own.length,
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) / own.length,
      shares: {
        current: share('current', () => true),
        oldAlone: share('oldAlone', hasOld),
        oldUnmarked: share('oldUnmarked', hasOld),
      },
      currentBy: Object.fromEntries(
        ways.map((way) => [way, share('current', ({ latest }) => latest.way === way)]),
      ),
    }
  })
}

function failuresOf(shown: readonly Shown[]): Omit<ValueFailure, 'engine' | 'window'>[] {
  const cases = Map.groupBy(
    shown.flatMap(({ seed, cases }) => cases.map((each) => ({ seed, ...each }))),
    ({ seed, latest }) => `${seed} ${latest.at}`,
  )
  return [...cases.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined || same.every(({ current, oldUnmarked }) => current && !oldUnmarked)) return []
    const { way, value = null, sentence, at, subject } = first.latest
    return [
      {
        ...{ seed: first.seed, subject: subject.name, way, value, sentence, olds: first.olds, at },
        compactions: same.length,
        notCurrent: same.filter(({ current }) => !current).length,
        oldAlone: same.filter(({ oldAlone }) => oldAlone).length,
        oldUnmarked: same.filter(({ oldUnmarked }) => oldUnmarked).length,
      },
    ]
  })
}
