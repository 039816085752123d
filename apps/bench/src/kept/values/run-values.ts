import type { Values } from '../../bootstrap.ts'
import { type FiguresOf, type Measures, meanOver } from '../../report/measure.ts'
import {
  type CompareInput,
  compareProjections,
  type ProjectionRow,
  type Shown,
} from '../compare-projections.ts'
import { type AskedValue, readValues, type Standing, valuesAt } from './standing.ts'
import { generateValueDialogue } from './value-dialogue.ts'

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

export type ValueRow = ProjectionRow<FiguresOf<typeof VALUE_MEASURES>>

export interface ValuesReport {
  readonly seeds: number
  readonly rows: readonly ValueRow[]
}

/** Looks for every value behind each compaction of generated dialogues, which have the seeds from 1 to `seeds`. */
export async function runValues({
  seeds,
  ...input
}: CompareInput & { readonly seeds: number }): Promise<ValuesReport> {
  const dialogues = Array.from({ length: seeds }, (_, index) => generateValueDialogue(index + 1))
  const rows = await compareProjections(input, dialogues, VALUE_MEASURES, ({ statements }, message) => {
    const asked = valuesAt(statements, message)
    return (projection): readonly Case[] => {
      const standingOf = readValues(projection)
      return asked.map((each) => ({ ...each, ...standingOf(each) }))
    }
  })
  return { seeds, rows }
}
