import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Latency, type LoadReport, runLoad, type Spread } from '../load/run-load.ts'
import { bytes, left, milliseconds, right, type Section, tableOf, whole } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseLengths, parseNumber, SEED } from './options.ts'

interface LoadOptions {
  readonly histories: readonly number[]
  readonly large: number
  readonly requests: number
  readonly seed: number
}

export const load = defineMeasure<LoadReport, LoadOptions>({
  description: 'what the gateway adds to requests, and whether one conversation holds up another',
  options: [
    option(
      '--histories <list>',
      'messages of the measured histories',
      parseLengths,
      [10, 100, 1_000, 10_000],
    ),
    option('--large <number>', 'messages of the large conversation', parseNumber, 100_000),
    option('--requests <number>', 'requests over which memory is watched', parseNumber, 5_000),
    SEED,
  ],
  async run(options, { root, progress }) {
    const command = [fileURLToPath(new URL('../palimpsest/dist/main.js', root))]
    return runLoad({ ...options, command, folder: tmpdir(), progress })
  },
  sections: loadSections,
})

function loadSections({ seed, large, latencies, beside, rates, memory }: LoadReport): Section[] {
  const rows: readonly (readonly [string, Spread])[] = [
    ['small, alone', beside.small.alone],
    ['small, during the first request of the large one', beside.small.first],
    ['small, during its later requests', beside.small.later],
    ['large, later requests', beside.large.later],
  ]
  const added =
    (at: 'p50' | 'p95') =>
    ({ through, direct }: Latency) =>
      milliseconds(Math.max(0, through[at] - direct[at]))
  return [
    {
      title: 'Load',
      text: `\`palimpsest serve\` in a process of its own, with its default engine and its store in memory, in front of a model that answers at once. Messages have about 200 bytes. Times are until the first byte of the answer, on the wall. Seed ${seed}.`,
      table: tableOf(latencies, [
        right('messages', ({ length }) => whole(length)),
        right('direct, p50', ({ direct }) => milliseconds(direct.p50)),
        right('through, p50', ({ through }) => milliseconds(through.p50)),
        right('added, p50', added('p50')),
        right('added, p95', added('p95')),
        right('first request', ({ first }) => milliseconds(first)),
        right('n', ({ through }) => whole(through.n)),
      ]),
    },
    {
      level: 3,
      title: `A small conversation beside one of ${whole(large)} messages`,
      text: [`The first request of the large one took ${milliseconds(beside.large.first)}.`],
      table: tableOf(rows, [
        left('whole answers', ([what]) => what),
        right('p50', ([, { p50 }]) => milliseconds(p50)),
        right('p95', ([, { p95 }]) => milliseconds(p95)),
        right('longest', ([, { most }]) => milliseconds(most)),
        right('n', ([, { n }]) => whole(n)),
      ]),
    },
    {
      level: 3,
      title: 'Requests a second',
      text: 'Eight clients, each of which asks again as soon as it is answered. `processor`: what the gateway spends on a request; `json`: what `JSON.parse` and `JSON.stringify` of its body cost.',
      table: tableOf(rates, [
        right('messages', ({ length }) => whole(length)),
        right('direct', ({ direct }) => whole(Math.round(direct))),
        right('through', ({ through }) => whole(Math.round(through))),
        right('processor', ({ processor }) => milliseconds(processor)),
        right('json', ({ json }) => milliseconds(json)),
      ]),
    },
    {
      level: 3,
      title: 'Memory',
      text: [
        'A process with its store in a file; conversations of 20 turns, eight at a time; 64 conversations are held at most, and are held before the first request that counts.',
        `Alive behind a collection: ${memory.alive
          .map(({ requests, heap }) => `${bytes(heap)} after ${whole(requests)} requests`)
          .join(', ')}.`,
      ],
      table: tableOf(memory.held, [
        right('requests', ({ requests }) => whole(requests)),
        right('resident', ({ resident }) => bytes(resident)),
        right('heap', ({ heap }) => bytes(heap)),
        right('external', ({ external }) => bytes(external)),
      ]),
    },
  ]
}
