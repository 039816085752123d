import type { AfterCompactionRow, NativeRow, NativeShare } from '../../recall/recall-report.ts'
import { rowTable } from '../arm-table.ts'
import { compactionChart } from '../charts/compaction-chart.ts'
import { decimal, interval, NOTHING, whole } from '../format.ts'
import type { Measure } from '../measure.ts'
import { left, right, type Section } from '../section.ts'

/** What is compared between arms of what is behind a compaction. */
export const COMPACTION_MEASURES: readonly Measure<AfterCompactionRow>[] = [
  {
    name: 'After-compaction recall',
    definition:
      'Of the identifiers that the 120 messages behind a compaction use and that were there before it, the share that the projection right behind it holds; beside it the share that a raw tail holds, the end of the transcript that is at most as large: it is of whole calls, so it often is smaller, and its own tokens stand beside it. n counts identifiers.',
    better: 'more',
    of: ({ projection }) => projection,
  },
  {
    name: 'After-compaction recall ÷ raw tail',
    definition:
      'How many times as much the projection holds as the raw tail. Arms compact at different places, so this compares them better than the shares do.',
    better: 'more',
    of: ({ ratio }) => ratio,
    write: (ratio) => decimal(ratio, 2),
  },
]

/** What compactions leave, on recorded sessions. */
export function compactionSections(
  rows: readonly AfterCompactionRow[],
  native: readonly NativeRow[],
): Section[] {
  return [
    {
      level: 3,
      title: 'After-compaction recall',
      text: [
        ...COMPACTION_MEASURES.map(({ definition }) => definition),
        ...(rows.length === 0 ? ['No arm compacted.'] : []),
      ],
      ...(rows.length > 0 && { table: compactionTable(rows), chart: compactionChart(rows) }),
    },
    nativeSection(native),
  ]
}

const compactionTable = (rows: readonly AfterCompactionRow[]) =>
  rowTable(rows, [
    ['compactions', ({ compactions }) => whole(compactions)],
    ['tokens behind one', ({ tokens }) => whole(tokens)],
    ['projection', ({ projection }) => interval(projection)],
    ['raw tail', ({ tail }) => interval(tail)],
    ['tokens of the tail', ({ tailTokens }) => (tailTokens === undefined ? NOTHING : whole(tailTokens))],
    ['projection ÷ tail', ({ ratio }) => decimal(ratio, 2)],
    ['n', ({ projection }) => (projection === null ? NOTHING : whole(projection.n))],
  ])

function nativeSection(rows: readonly NativeRow[]): Section {
  const title = 'Beside the recorded host’s own summaries'
  if (rows.length === 0)
    return { level: 3, title, text: ['None of the sessions holds a summary of its own host.'] }
  return {
    level: 3,
    title,
    text: [
      'Where the recorded host compacted by itself and its summary is in the file. `native` is the text of that summary alone, without the messages that the host kept beside it. No arm is made to compact there: its entry is the whole of the last projection that it made up to that place, when it is played with a budget of twice the mean size of the session’s native summaries.',
      'Share: of the identifiers that the next 120 messages use and that were there before (n). Sizes differ, so each entry has its own tokens, and the share of a raw tail that is at most as large beside it: compare what an entry has with its own tail, not the shares of different sizes.',
    ],
    table: {
      columns: [
        left('session'),
        right('message'),
        right('n'),
        left('entry'),
        ...['tokens', 'share', 'raw tail up to that size', 'share ÷ tail'].map(right),
      ],
      rows: rows.flatMap(({ session, message, n, shares }) =>
        shares.map((entry) => [session, whole(message), whole(n), ...nativeCells(entry)]),
      ),
    },
  }
}

const nativeCells = ({ arm, tokens, share, tail }: NativeShare): string[] => [
  arm,
  whole(tokens),
  decimal(share, 3),
  tail === undefined ? NOTHING : decimal(tail, 3),
  tail === undefined || tail === 0 ? NOTHING : decimal(share / tail, 2),
]
