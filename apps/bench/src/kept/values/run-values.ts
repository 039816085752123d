import type { Estimate, Values } from '../../bootstrap.ts'
import { distinct, type FiguresOf, type Measures, meanOver } from '../../report/measure.ts'
import {
  type CompareInput,
  compareProjections,
  type ProjectionRow,
  type Shown,
} from '../compare-projections.ts'
import { type AskedValue, readValues, type Standing, valuesAt } from './standing.ts'
import { generateValueDialogue, type Way } from './value-dialogue.ts'

type Case = AskedValue & Standing
type Play = readonly Shown<readonly Case[]>[]

/** A mean over cases; dialogues without a compaction have no part in it. */
const overCases = (values: (cases: readonly Case[]) => Values) => (plays: readonly Play[]) =>
  meanOver((play: Play) => play.flatMap(({ cases }) => values(cases)))(
    plays.filter(({ length }) => length > 0),
  )

const withOld = (cases: readonly Case[]): Case[] => cases.filter(({ olds }) => olds.length > 0)

export const VALUE_MEASURES = {
  current: {
    name: 'current',
    definition:
      "the latest value of a subject stands within 240 characters of a word of the subject, or in the user's own sentence. Of a value that was taken back: the sentence that took it back stands, or the value with a mark.",
    better: 'more',
    of: overCases((cases) => cases.map(({ current }) => current)),
  },
  oldAlone: {
    name: 'old alone',
    definition: 'a value that is over stands so, and the latest one does not.',
    better: 'less',
    of: overCases((cases) => withOld(cases).map(({ oldAlone }) => oldAlone)),
  },
  oldUnmarked: {
    name: 'old unmarked',
    definition:
      'a line of the block of decisions shows a value that is over, without the latest one and without a word such as was, contested, no longer.',
    better: 'less',
    of: overCases((cases) => withOld(cases).map(({ oldUnmarked }) => oldUnmarked)),
  },
} as const satisfies Measures<readonly Play[]>

export interface ValueRow extends ProjectionRow<FiguresOf<typeof VALUE_MEASURES>> {
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
  readonly olds: readonly string[]
  readonly at: number
  /** Compactions at which it was the latest word on its subject, and those with a fault. */
  readonly compactions: number
  readonly notCurrent: number
  readonly oldAlone: number
  readonly oldUnmarked: number
}

export interface ValuesReport {
  readonly seeds: number
  readonly rows: readonly ValueRow[]
  readonly failures: readonly ValueFailure[]
}

/** Looks for every value behind each compaction of generated dialogues, which have the seeds from 1 to `seeds`. */
export async function runValues({
  seeds,
  ...input
}: CompareInput & { readonly seeds: number }): Promise<ValuesReport> {
  const dialogues = Array.from({ length: seeds }, (_, index) => generateValueDialogue(index + 1))
  const compared = await compareProjections(input, dialogues, VALUE_MEASURES, ({ statements }, message) => {
    const asked = valuesAt(statements, message)
    return (projection): readonly Case[] => {
      const standingOf = readValues(projection)
      return asked.map((each) => ({ ...each, ...standingOf(each) }))
    }
  })
  return {
    seeds,
    rows: compared.flatMap(({ rows, plays }) =>
      rows.map((row) => ({ ...row, currentBy: currentByWay(playsOf(row.arm, plays)) })),
    ),
    failures: compared.flatMap(({ rows: [own], plays }) =>
      own === undefined
        ? []
        : failuresOf(playsOf(own.engine, plays)).map((failure) => ({
            engine: own.engine,
            window: own.window,
            ...failure,
          })),
    ),
  }
}

const playsOf = (arm: string, plays: readonly Play[]): Play[] =>
  plays.map((play) => play.filter((each) => each.arm === arm))

function currentByWay(plays: readonly Play[]): ValueRow['currentBy'] {
  const ways = distinct(
    plays.flatMap((play) => play.flatMap(({ cases }) => cases.map((each) => each.latest.way))),
  )
  const share = (way: Way) =>
    overCases((cases) => cases.filter(({ latest }) => latest.way === way).map(({ current }) => current))
  return Object.fromEntries(ways.map((way) => [way, share(way)(plays)]))
}

function failuresOf(plays: readonly Play[]): Omit<ValueFailure, 'engine' | 'window'>[] {
  const cases = Map.groupBy(
    plays.flatMap((play, index) =>
      play.flatMap(({ cases }) => cases.map((each) => ({ seed: index + 1, ...each }))),
    ),
    ({ seed, latest }) => `${seed} ${latest.at}`,
  )
  return [...cases.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined || same.every(({ current, oldUnmarked }) => current && !oldUnmarked)) return []
    const { way, value = null, sentence, at, subject } = first.latest
    return [
      {
        seed: first.seed,
        subject: subject.name,
        way,
        value,
        sentence,
        olds: first.olds,
        at,
        compactions: same.length,
        notCurrent: same.filter(({ current }) => !current).length,
        oldAlone: same.filter(({ oldAlone }) => oldAlone).length,
        oldUnmarked: same.filter(({ oldUnmarked }) => oldUnmarked).length,
      },
    ]
  })
}
