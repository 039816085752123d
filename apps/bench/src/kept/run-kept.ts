import type { FiguresOf } from '../report/measure.ts'
import { type Measures, meanOver } from '../report/measure.ts'
import type { RecordedSession } from '../sessions/read-sessions.ts'
import {
  type CompareInput,
  compareProjections,
  type ProjectionRow,
  type Shown,
} from './compare-projections.ts'
import { askedAt, type Kept, keptIn } from './kept-in.ts'
import { MESSAGES_BEHIND, readForKept } from './kept-reading.ts'
import type { ValuesReport } from './values/run-values.ts'

const overCases = (key: keyof Kept) =>
  meanOver((shown: readonly Shown<Kept>[]) => shown.flatMap(({ cases }) => cases[key]))

export const KEPT_MEASURES = {
  names: {
    name: 'names',
    definition: `identifiers that the user or the assistant uses in the next ${MESSAGES_BEHIND} messages before anything shows them again. A list of names wins it, and tells a model nothing.`,
    better: 'more',
    of: overCases('names'),
  },
  relations: {
    name: 'relations',
    definition:
      'pairs of identifiers that a later line of theirs uses together and that stood together in a line before; kept where both stand within 240 characters. Lists of names are cut out first, so only sentences, code and calls count.',
    better: 'more',
    of: overCases('relations'),
  },
  words: {
    name: "user's words",
    definition:
      "messages of the user, longer than 12 characters and not put there by a host, whose first 60 characters stand in the projection. All users' messages win it.",
    better: 'more',
    of: overCases('words'),
  },
} as const satisfies Measures<readonly (readonly Shown<Kept>[])[]>

export type KeptRow = ProjectionRow<FiguresOf<typeof KEPT_MEASURES>>

export interface KeptReport {
  readonly sessions?: readonly KeptRow[]
  readonly values?: ValuesReport
}

export async function runKept(
  input: CompareInput & { readonly sessions: readonly RecordedSession[] },
): Promise<KeptRow[]> {
  const readings = input.sessions.map(({ messages }) => readForKept(messages))
  return compareProjections(input, readings, KEPT_MEASURES, (reading, message) => {
    const asked = askedAt(reading, message)
    return (projection): Kept => keptIn(projection, asked, reading)
  })
}
