import { distinct, figureText } from '../arm-table.ts'
import type { ArmFacts, BenchReport } from '../bench-report.ts'
import { whole } from '../format.ts'
import { type ArmRow, type Measure, numberOf } from '../measure.ts'
import { BILL_MEASURES } from '../sections/bill-sections.ts'
import { COMPACTION_MEASURES } from '../sections/compaction-sections.ts'
import { DIALOGUE_TOPICS } from '../sections/dialogue-measures.ts'
import { REACH_MEASURES, RECALL_MEASURES } from '../sections/recall-measures.ts'

/** One measure within one budget: what every arm has. */
export interface Comparison {
  readonly measure: string
  /** Where it was measured, such as a budget. */
  readonly within: string
  readonly better: 'more' | 'less'
  /** Best first. Arms without a figure are left out. */
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly arm: string
  readonly kind: ArmFacts['kind']
  readonly value: number
  /** The figure as it stands in a table. */
  readonly text: string
}

/** Every measure that says which of two arms is better, within every budget. */
export function compareArms({ arms, recall, dialogues, bills }: BenchReport): Comparison[] {
  const compare = <Row extends ArmRow>(
    rows: readonly Row[] = [],
    measures: readonly Measure<Row>[],
    on = '',
  ) =>
    measures.flatMap((measure) =>
      distinct(rows.map(({ budget }) => budget)).flatMap((budget) =>
        compareWithin({ budget, measure, on, rows: rows.filter((row) => row.budget === budget), arms }),
      ),
    )
  return [
    ...compare(recall?.rows, [...RECALL_MEASURES, ...REACH_MEASURES]),
    ...compare(recall?.afterCompaction, COMPACTION_MEASURES),
    ...compare(
      dialogues?.rows,
      DIALOGUE_TOPICS.flatMap(({ measures }) => measures),
      'Dialogues: ',
    ),
    ...compare(bills?.rows, BILL_MEASURES),
  ]
}

interface Within<Row extends ArmRow> {
  readonly budget: number
  readonly measure: Measure<Row>
  /** Goes before the name. */
  readonly on: string
  readonly rows: readonly Row[]
  readonly arms: readonly ArmFacts[]
}

function compareWithin<Row extends ArmRow>({ budget, measure, on, rows, arms }: Within<Row>): Comparison[] {
  const { name, better } = measure
  if (better === undefined) return []
  const entries = rows.flatMap((row): Entry[] => {
    const figure = measure.of(row)
    const value = numberOf(figure)
    const kind = arms.find((arm) => arm.name === row.arm)?.kind
    if (value === null || kind === undefined) return []
    return [{ arm: row.arm, kind, value, text: figureText(figure, measure) }]
  })
  return [
    { measure: `${on}${name}`, within: `${whole(budget)} tokens`, better, entries: ranked(better, entries) },
  ]
}

/** Best first. */
export function ranked(better: Comparison['better'], entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (better === 'more' ? b.value - a.value : a.value - b.value))
}

/** Smaller differences are rounding. */
const EQUAL = 1e-9

/** Whether the first figure is better than the second. */
export function isBetter(better: Comparison['better'], one: Entry, other: Entry): boolean {
  return (better === 'more' ? one.value - other.value : other.value - one.value) > EQUAL
}
