import { bytes, decimal, milliseconds, NOTHING, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import type { ScaleReport, SizeFigures } from './scale-report.ts'

/** What stores take on disk, and how long they take to fill. */
export function sizeSections({ sizes, sqlite }: ScaleReport): Section[] {
  const large = sizes.at(-1)
  if (large === undefined) return []
  const perMillion = (value: number, messages: number) => (value * 1e6) / messages
  const names = large.relations.map(({ name, kind }) => ({ name, kind }))
  const find = (size: SizeFigures, wanted: (typeof names)[number]) =>
    size.relations.find(({ name, kind }) => name === wanted.name && kind === wanted.kind)
  return [
    {
      level: 2,
      title: 'Sizes',
      text: [
        'Bytes for a million messages: what was measured in each store, times a million, by its messages. Rows are those of the largest store. Small stores have a list of entries that are not merged yet in each index of texts, up to 4 MB each.',
      ],
      table: {
        columns: [
          left('table or index'),
          left('what'),
          right('rows for a million messages'),
          ...sizes.map(({ messages }) => right(`of ${whole(messages)}`)),
        ],
        rows: [
          ...names.map((wanted) => [
            wanted.name,
            wanted.kind,
            rowsOf(find(large, wanted)?.rows, large.messages),
            ...sizes.map((size) => bytes(perMillion(find(size, wanted)?.bytes ?? 0, size.messages))),
          ]),
          [
            'everything',
            '',
            NOTHING,
            ...sizes.map((size) => bytes(perMillion(totalOf(size), size.messages))),
          ],
          [
            'the messages as JSON',
            'characters',
            NOTHING,
            ...sizes.map((size) => bytes(perMillion(size.characters, size.messages))),
          ],
        ],
      },
    },
    {
      level: 2,
      title: 'Filling a store',
      text: [
        'PostgreSQL by two processes through the store, in batches of 200 messages; SQLite by one. Where a time of building is given, the indexes of texts were built behind the rows.',
      ],
      table: {
        columns: [
          left('store'),
          ...['messages', 'writing', 'building indexes', 'messages/s', 'bytes a message'].map(right),
        ],
        rows: [
          ...sizes.map((size) => [
            'PostgreSQL',
            whole(size.messages),
            milliseconds(size.writing),
            size.building === 0 ? NOTHING : milliseconds(size.building),
            decimal((size.messages * 1000) / (size.writing + size.building), 0),
            whole(totalOf(size) / size.messages),
          ]),
          [
            'SQLite',
            whole(sqlite.messages),
            milliseconds(sqlite.writing),
            NOTHING,
            decimal((sqlite.messages * 1000) / sqlite.writing, 0),
            whole(sqlite.bytes / sqlite.messages),
          ],
        ],
      },
    },
  ]
}

function rowsOf(rows: number | undefined, messages: number): string {
  return rows === undefined ? NOTHING : whole((rows * 1e6) / messages)
}

function totalOf({ relations }: SizeFigures): number {
  return relations.reduce((sum, { bytes: own }) => sum + own, 0)
}
