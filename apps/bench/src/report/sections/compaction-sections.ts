import type { AfterCompactionRow, NativeRow } from '../../recall/recall-report.ts'
import { distinct, rowTable } from '../arm-table.ts'
import { compactionChart } from '../charts/compaction-chart.ts'
import { decimal, interval, NOTHING, whole } from '../format.ts'
import type { Measure } from '../measure.ts'
import { left, right, type Section } from '../section.ts'

/** What is compared between arms of what is behind a compaction. */
export const COMPACTION_MEASURES: readonly Measure<AfterCompactionRow>[] = [
  {
    name: 'After-compaction recall',
    definition:
      'Of the identifiers that the 120 messages behind a compaction use and that were there before it, the share that the projection right behind it holds; beside it the share that an equally large end of the transcript holds, and how many times as much the projection has. n counts identifiers.',
    better: 'more',
    of: ({ projection }) => projection,
  },
]

/** What compactions leave, on recorded sessions. */
export function compactionSections(
  rows: readonly AfterCompactionRow[],
  native: readonly NativeRow[],
): Section[] {
  return [
    ...COMPACTION_MEASURES.map(
      ({ name, definition }): Section => ({
        level: 3,
        title: name,
        text: [definition, ...(rows.length === 0 ? ['No arm compacted.'] : [])],
        ...(rows.length > 0 && { table: compactionTable(rows), chart: compactionChart(rows) }),
      }),
    ),
    nativeSection(native),
  ]
}

const compactionTable = (rows: readonly AfterCompactionRow[]) =>
  rowTable(rows, [
    ['compactions', ({ compactions }) => whole(compactions)],
    ['tokens behind one', ({ tokens }) => whole(tokens)],
    ['projection', ({ projection }) => interval(projection)],
    ['raw tail', ({ tail }) => interval(tail)],
    ['projection ÷ tail', ({ ratio }) => decimal(ratio, 2)],
    ['n', ({ projection }) => (projection === null ? NOTHING : whole(projection.n))],
  ])

function nativeSection(rows: readonly NativeRow[]): Section {
  const arms = distinct(rows.flatMap(({ shares }) => shares.map(({ arm }) => arm)))
  const section: Section = {
    level: 3,
    title: 'Beside the recorded host’s own summaries',
    text: [
      rows.length === 0
        ? 'None of the sessions holds a compaction of its own host.'
        : 'Where the recorded host compacted by itself: its own summary, and every arm that was made to compact at the same place and size. The share of the identifiers of the next 120 messages, the tokens that it took, and the share of an equally large raw tail.',
    ],
  }
  if (rows.length === 0) return section
  const columns = [left('session'), right('message'), right('n'), ...arms.map((arm) => right(arm))]
  return {
    ...section,
    table: {
      columns,
      rows: rows.map(({ session, message, n, shares }) => [
        session,
        whole(message),
        whole(n),
        ...arms.map((arm) => {
          const found = shares.find((share) => share.arm === arm)
          if (found === undefined) return NOTHING
          const tail = found.tail === undefined ? '' : `, tail ${decimal(found.tail, 3)}`
          return `${decimal(found.share, 3)} in ${whole(found.tokens)}${tail}`
        }),
      ]),
    },
  }
}
