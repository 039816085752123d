import { tmpdir } from 'node:os'
import { Option } from 'commander'
import { bytes, decimal, left, milliseconds, right, type Section, tableOf, whole } from '../report/section.ts'
import type { GrepFigures } from '../scale/measure-grep.ts'
import type { TurnFigures } from '../scale/measure-turns.ts'
import { runScale, type ScaleReport, type SizeFigures } from '../scale/run-scale.ts'
import { defineMeasure, type Made } from './define-measure.ts'
import { option, parseNumber, SEED } from './options.ts'
import { UsageError } from './usage-error.ts'

const EXAMPLES = `
Examples:
  bench scale --messages 20000 --sessions 100     a minute or two
  bench scale --report docs/scale-figures.md      a million messages: half an hour, 15 GB in the folder for temporary
                                                  files, or in the database that is named
  bench scale --url postgres://me@host/database   on a server that is there, in schemas of its own, which are dropped

Without --url, the server of PALIMPSEST_TEST_POSTGRES_URL is used; without that, one is started from the programs on
this machine, with the durability that PostgreSQL has by default, and removed at the end.`

/** Fewer messages do not make a session with summaries. */
const LEAST_LENGTH = 200

interface ScaleOptions {
  readonly url?: string
  readonly messages: number
  readonly sessions: number
  readonly seed: number
}

export const scale = defineMeasure<ScaleReport, ScaleOptions>({
  description:
    'what the lossless engine costs on PostgreSQL, up to a million messages in a thousand sessions',
  options: [
    new Option('--url <url>', 'a server to measure on, such as postgres://user@host/database'),
    option('--messages <number>', 'messages of the largest store', parseNumber, 1_000_000),
    option('--sessions <number>', 'sessions of the largest store', parseNumber, 1_000),
    SEED,
    new Option('--report <file>', 'a page of Markdown'),
  ],
  examples: EXAMPLES,
  async run({ messages, sessions, seed, url = process.env.PALIMPSEST_TEST_POSTGRES_URL }, { progress }) {
    if (messages / sessions < LEAST_LENGTH)
      throw new UsageError(`--messages: use at least ${LEAST_LENGTH} for each session`)
    const program = process.argv[1] ?? ''
    return runScale({ url, messages, sessions, seed, program, folder: tmpdir(), progress })
  },
  sections: scaleSections,
})

export function scaleSections(report: ScaleReport, made: Made): Section[] {
  return [
    aboutSection(report, made),
    turnSection(report),
    grepSection(report),
    workerSection(report),
    sizeSection(report),
    upkeepSection(report),
  ].flat()
}

function aboutSection(
  { server, settings, seed, sizes }: ScaleReport,
  { command, date, machine, versions }: Made,
): Section {
  const { cpu, cores, memory, platform } = machine
  const large = sizes.at(-1)
  const values = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  return {
    level: 1,
    title: 'Figures of the stores in PostgreSQL',
    text: [
      'The figures behind `docs/scale.md`. This page is generated: do not edit it.',
      `\`pnpm ${command}\`; with \`--json <file>\` also the figures that are not shown here.`,
      `${whole(large?.messages ?? 0)} messages in ${whole(large?.sessions ?? 0)} sessions, and a tenth and a hundredth of both, on a server of this machine: ` +
        'generated coding conversations, 2 KB a message, covered with summaries except for their ends. ' +
        'Times of a busy machine say little; the floors were measured in turn with them.',
    ],
    table: tableOf(
      [
        ['date', date],
        ['machine', `${cpu}, ${cores} cores, ${bytes(memory)}, ${platform}`],
        ['versions', `node v${versions.node}, PostgreSQL ${server}`],
        ['settings', values.join(', ')],
        ['seed', String(seed)],
      ] as const,
      [left('made', ([name]) => name), left('', ([, value]) => value)],
    ),
  }
}

/** The most that a turn may cost in the largest store, as a multiple of its cost in the smallest. */
const PROMISE = 1.5

type TurnRow = readonly [name: string, of: (figures: TurnFigures) => number, write: (value: number) => string]

const ratio = (value: number): string => decimal(value, 2)

const TURN_ROWS: readonly TurnRow[] = [
  ['turn, median', ({ turn }) => turn.median, milliseconds],
  ['turn, mean', ({ turn }) => turn.mean, milliseconds],
  ['floor: the same rows by plain statements, median', ({ floor }) => floor.median, milliseconds],
  ['turn ÷ floor, medians', ({ turn, floor }) => turn.median / floor.median, ratio],
  ['turn with a compaction, median', ({ compacting }) => compacting.median, milliseconds],
  ['loading a session, median', ({ pickUp }) => pickUp.median, milliseconds],
  ['round trips of a turn', ({ trips }) => trips, whole],
  ['round trips to load a session', ({ pickUpTrips }) => pickUpTrips, whole],
]

function turnSection({ turns }: ScaleReport): Section | [] {
  const [small, large] = [turns[0], turns.at(-1)]
  if (small === undefined || large === undefined) return []
  const columns = [small, large].map((figures) =>
    right(`${whole(figures.messages)} messages`, ([, of, write]: TurnRow) => write(of(figures))),
  )
  return {
    title: 'Cost of a turn',
    text:
      `The same turns were played into each store through a session and the engine, ${whole(large.turn.n)} of them without a compaction, ${decimal(small.length, 1)} messages each on average. ` +
      `The promise is at most ${PROMISE} times as much in the largest store as in the smallest. ` +
      `A server that is a millisecond away adds a millisecond for each round trip. ${verdict(small, large)}`,
    table: tableOf(TURN_ROWS, [
      left('', ([name]) => name),
      ...columns,
      right('last ÷ first', ([, of]) => ratio(of(large) / of(small))),
    ]),
  }
}

function verdict(small: TurnFigures, large: TurnFigures): string {
  const [median, mean] = [large.turn.median / small.turn.median, large.turn.mean / small.turn.mean]
  const sizes = `${whole(large.messages)} messages over ${whole(small.messages)}`
  const outcome = median <= PROMISE && mean <= PROMISE ? 'the promise is kept.' : 'the promise is MISSED.'
  return `${sizes}: ${ratio(median)} by the median and ${ratio(mean)} by the mean; ${outcome}`
}

function grepSection({ greps, sizes }: ScaleReport): Section {
  const [small, large] = [sizes[0]?.messages ?? 0, sizes.at(-1)?.messages ?? 0]
  const inSmallest = ({ what, sessions }: GrepFigures) =>
    greps.find((one) => one.messages === small && one.what === what && one.sessions > 1 === sessions > 1)
  return {
    title: 'Searching',
    text: 'Searches of `lcm_grep` in one session, and of `palimpsest lcm grep --all` in all: the newest ten hits, with snippets. The floor is a query written by hand, with the same index.',
    table: tableOf(
      greps.filter(({ messages }) => messages === large),
      [
        left('what', ({ what }) => what),
        left('in', ({ sessions }) => (sessions === 1 ? 'one session' : 'all')),
        right(`${whole(small)} messages`, (row) => milliseconds(inSmallest(row)?.measured.median ?? 0)),
        right(`${whole(large)} messages`, ({ measured }) => milliseconds(measured.median)),
        right('floor there', ({ floor }) => milliseconds(floor.median)),
        right('ratio', ({ measured, floor }) => ratio(measured.median / floor.median)),
      ],
    ),
  }
}

function workerSection({ workers, sizes }: ScaleReport): Section {
  return {
    title: 'Workers at the same time',
    text: `Processes append turns of about a dozen messages to the store of ${whole(sizes.at(-1)?.messages ?? 0)}. The floor is processes that write the same rows by plain statements. The loser of a race wrote again; at the end every message was counted by its id.`,
    table: tableOf(workers, [
      right('workers', (row) => whole(row.workers)),
      left('on', ({ on }) => on),
      right('turns/s', ({ turns }) => decimal(turns, 1)),
      right('floor, turns/s', ({ floor }) => decimal(floor, 1)),
      right('races lost', ({ conflicts }) => whole(conflicts)),
      right('written', ({ written }) => whole(written)),
      right('found once', ({ found }) => whole(found)),
    ]),
  }
}

function sizeSection({ sizes }: ScaleReport): Section {
  const ofMillion = (value: number, { messages }: SizeFigures) => bytes((value * 1e6) / messages)
  return {
    title: 'Sizes',
    text:
      'Bytes for a million messages: the measured bytes, divided by the messages of the store, times a million. Small stores have ' +
      'unmerged entries in each index of texts, up to 4 MB.',
    table: tableOf(sizes, [
      right('messages', ({ messages }) => whole(messages)),
      right('tables and indexes', (size) => ofMillion(size.bytes, size)),
      right('the messages as JSON, characters', (size) => ofMillion(size.characters, size)),
    ]),
  }
}

function upkeepSection({ upkeep }: ScaleReport): Section {
  return {
    title: 'What grows',
    table: tableOf(upkeep, [
      right('messages', ({ messages }) => whole(messages)),
      right('vacuum behind 1,000 messages', ({ vacuum }) => milliseconds(vacuum)),
    ]),
  }
}
