import { tmpdir } from 'node:os'
import { bytes, decimal, left, milliseconds, NOTHING, right, tableOf, whole } from '../report/section.ts'
import type { SessionFigures, SessionReport } from '../speed/measure-session.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'

export const session = defineMeasure<SessionReport>({
  description: 'what a host waits for that passes its whole list, from its first call to a restart',
  options: [
    option('--messages <list>', 'lengths of the histories', parseStoreSizes, [1_000, 10_000, 100_000]),
    SEED,
  ],
  examples: `
Examples:
  bench session --messages 1000,10000       a minute
  bench session --messages 1000,300000      an hour, 8 GB of memory`,
  async run({ messages: sizes, seed }, { progress }) {
    const { runSession } = await import('../speed/measure-session.ts')
    return runSession({ seed, sizes, folder: tmpdir(), progress })
  },
  sections: ({ seed, rows }) => [
    {
      title: 'Sessions',
      text:
        'Messages of 3.5 KB, stores in files, a model that answers at once. Milliseconds of the processor, medians; in brackets the ratio: ' +
        'of a turn to one with the shortest history, of a list that was parsed anew to JSON.stringify of it, of the first call after a restart to reading all from the store and comparing it. ' +
        `Held: the most for which the event loop was held up, by the first call and by the one after a restart. Memory: above the host's own list. Seed ${seed}.`,
      table: tableOf(rows, [
        left('engine', ({ engine }) => engine),
        right('messages', ({ messages }) => whole(messages)),
        right('turn', (row) => ratio(row.turn, shortest(rows, row).turn)),
        right('list parsed anew', ({ parsed, stringify }) => ratio(parsed, stringify)),
        right('first call', ({ first }) => milliseconds(first.cpu)),
        right('for each message', ({ first, messages }) => milliseconds(first.cpu / messages)),
        right('held', ({ first, restart }) =>
          [first, restart].map(({ blocked }) => milliseconds(blocked)).join(', '),
        ),
        right('after a restart', ({ restart, read }) =>
          read === undefined ? milliseconds(restart.cpu) : ratio(restart.cpu, read.cpu),
        ),
        right('memory', ({ memory }) => (memory < 0 ? NOTHING : bytes(memory))),
      ]),
    },
  ],
})

const ratio = (measured: number, floor: number): string =>
  `${milliseconds(measured)} (${decimal(measured / floor, 2)})`

const shortest = (rows: readonly SessionFigures[], { engine }: SessionFigures): SessionFigures =>
  rows.find((row) => row.engine === engine) as SessionFigures
