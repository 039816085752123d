import { middleBudget } from '../arm-table.ts'
import type { BenchReport } from '../bench-report.ts'
import { decimal, dollars, NOTHING, whole } from '../format.ts'
import { type ArmRow, type Measure, numberOf } from '../measure.ts'
import { type Column, left, right, type Section } from '../section.ts'

/** A line for each arm, before the details: what it keeps and what that costs, within one budget. */
export function summarySection({ arms, recall, dialogues, bills }: BenchReport): Section[] {
  const rows = [...(recall?.rows ?? []), ...(dialogues?.rows ?? []), ...(bills?.rows ?? [])]
  if (rows.length === 0) return []
  const budget = middleBudget(rows)
  const columns = [
    ...columnsOf(recall?.rows, budget, [
      ['far re-references held', ({ assistant }) => assistant.mean],
      ['reachable@1 by name', ({ reached }) => reached.at1],
      ['reachable@1 by context', ({ reachedByContext }) => reachedByContext?.at1 ?? null],
      ['reachable@3 by context', ({ reachedByContext }) => reachedByContext?.at3 ?? null],
      ['tokens sent', ({ tokens }) => tokens, whole],
    ]),
    ...columnsOf(recall?.afterCompaction, budget, [
      ['after a compaction, × raw tail', ({ ratio }) => ratio, (ratio) => decimal(ratio, 2)],
    ]),
    ...columnsOf(dialogues?.rows, budget, [
      ['dialogues: items', ({ itemRecall }) => itemRecall],
      ['update accuracy', ({ updateAccuracy }) => updateAccuracy],
      ['stale exposure', ({ staleExposure }) => staleExposure],
    ]),
    ...columnsOf(bills?.rows, budget, [['bill', ({ total }) => total, dollars]]),
  ]
  return [
    {
      level: 2,
      title: 'In short',
      text: [
        `Within ${whole(budget)} tokens; every column is defined, with its interval and n, in a section of its own below.`,
        ...(recall === undefined
          ? []
          : [
              'Reachable is what stands in the prompt or comes with so many calls of a tool. By name: the searcher asks for the identifier itself. By context: it gets only the words around the place where the identifier is used, and never the identifier.',
            ]),
      ],
      table: {
        columns: [left('arm'), ...columns.map(({ column }) => column)],
        rows: arms.map(({ name }) => [name, ...columns.map(({ cellOf }) => cellOf(name))]),
      },
    },
  ]
}

interface SummaryColumn {
  readonly column: Column
  cellOf(arm: string): string
}

type Figure<Row extends ArmRow> = readonly [
  name: string,
  of: Measure<Row>['of'],
  write?: (value: number) => string,
]

function columnsOf<Row extends ArmRow>(
  rows: readonly Row[] = [],
  budget: number,
  figures: readonly Figure<Row>[],
): SummaryColumn[] {
  if (rows.length === 0) return []
  return figures.map(([name, of, write = (value) => decimal(value, 3)]) => ({
    column: right(name),
    cellOf(arm) {
      const row = rows.find((each) => each.arm === arm && each.budget === budget)
      const value = row === undefined ? null : numberOf(of(row))
      return value === null ? NOTHING : write(value)
    },
  }))
}
