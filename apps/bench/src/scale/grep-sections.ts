import { decimal, milliseconds, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import type { GrepFigures, ScaleReport } from './scale-report.ts'

/** What searches cost. */
export function grepSections({ greps }: ScaleReport): Section[] {
  return [
    {
      level: 2,
      title: 'Searching a session',
      text: [
        'As a model calls `lcm_grep`: the newest ten hits, with snippets. The floor is the query that one would write by hand, with the same index at its service.',
      ],
      table: table(greps.filter(({ sessions }) => sessions === 1)),
    },
    {
      level: 2,
      title: 'Searching all sessions',
      text: [
        'As `palimpsest lcm grep --all` does it: the first sessions one after the other, then those that the index names, until there are ten hits. The floor is one query over all of them.',
      ],
      table: table(greps.filter(({ sessions }) => sessions > 1)),
    },
  ]
}

function table(greps: readonly GrepFigures[]) {
  return {
    columns: [
      left('what'),
      ...[
        'messages',
        'hits',
        'n',
        'measured',
        'floor',
        'ratio',
        'ways to the server',
        'pages of the floor',
      ].map(right),
    ],
    rows: greps.map((row) => [
      row.what,
      whole(row.messages),
      whole(row.hits),
      whole(row.measured.n),
      milliseconds(row.measured.median),
      milliseconds(row.floor.median),
      decimal(row.measured.median / row.floor.median, 2),
      whole(row.trips),
      whole(row.pages),
    ]),
  }
}
