import { bytes, decimal, milliseconds, NOTHING, whole } from '../report/format.ts'
import type { Made } from '../report/made.ts'
import { left, right, type Section, type Table, tableOf } from '../report/section.ts'
import type { GrepFigures } from './measure-grep.ts'
import type { SizeFigures } from './measure-sizes.ts'
import type { TurnFigures } from './measure-turns.ts'
import type { ScaleReport } from './run-scale.ts'

export function scaleSections(report: ScaleReport, made: Made): Section[] {
  return [
    aboutSection(report, made),
    ...turnSections(report),
    ...grepSections(report),
    workerSection(report),
    sizeSection(report),
    fillSection(report),
    upkeepSection(report),
  ]
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
      'What `docs/scale.md` says in words. This page is generated: do not edit it.',
      `\`pnpm ${command}\``,
      `${whole(large?.messages ?? 0)} messages in ${whole(large?.sessions ?? 0)} sessions, and a tenth and a hundredth of both, in three schemas of one server on this machine: generated coding conversations, 2 KB a message, each session with words of its own, covered with summaries but for its end. Times of a busy machine say little; ratios are to floors that were measured in turn with them in the same run.`,
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
  ['turn, 95th percentile', ({ turn }) => turn.p95, milliseconds],
  ['of it waiting for the server, median', ({ waited }) => waited.median, milliseconds],
  ['floor: its rows by plain statements, median', ({ floor }) => floor.median, milliseconds],
  ['floor, mean', ({ floor }) => floor.mean, milliseconds],
  ['turn ÷ floor, medians', ({ turn, floor }) => turn.median / floor.median, ratio],
  ['turn with a compaction, median', ({ compacting }) => compacting.median, milliseconds],
  ['taking up a session, median', ({ pickUp }) => pickUp.median, milliseconds],
  ['log of a turn, mean', ({ logged }) => logged, bytes],
  ['log of the floor, mean', ({ floorLogged }) => floorLogged, bytes],
]

const TRIP_ROWS: readonly TurnRow[] = [
  ['of a turn', ({ trips }) => trips, whole],
  ['transactions of a turn', ({ transactions }) => transactions, whole],
  ['to take up a session', ({ pickUpTrips }) => pickUpTrips, whole],
]

function turnSections({ turns }: ScaleReport): Section[] {
  const [small, large] = [turns[0], turns.at(-1)]
  if (small === undefined || large === undefined) return []
  const n = turns.map(({ turn }) => turn.n)
  const columns = turns.map((figures) =>
    right(`${whole(figures.messages)} messages`, ([, of, write]: TurnRow) => write(of(figures))),
  )
  return [
    {
      level: 2,
      title: 'Cost of a turn',
      text: [
        `The same turns were played into each store in turn, through session and engine, ${n.join(', ')} of them without a compaction, ${decimal(small.length, 1)} messages each on average. Promised: at most ${PROMISE} times as much in the largest store as in the smallest.`,
        verdict(small, large),
      ],
      table: tableOf(TURN_ROWS, [
        left('milliseconds, unless it says something else', ([name]) => name),
        ...columns,
        right('last ÷ first', ([, of]) => ratio(of(large) / of(small))),
      ]),
    },
    {
      level: 2,
      title: 'Ways to the server and back',
      text: ['Medians. A server that is a millisecond away adds a millisecond for each.'],
      table: tableOf(TRIP_ROWS, [left('', ([name]) => name), ...columns]),
    },
  ]
}

function verdict(small: TurnFigures, large: TurnFigures): string {
  const [median, mean] = [large.turn.median / small.turn.median, large.turn.mean / small.turn.mean]
  const sizes = `${whole(large.messages)} messages over ${whole(small.messages)}`
  const outcome = median <= PROMISE && mean <= PROMISE ? 'the promise is kept.' : 'the promise is MISSED.'
  return `${sizes}: ${ratio(median)} by the median and ${ratio(mean)} by the mean; ${outcome}`
}

function grepSections({ greps }: ScaleReport): Section[] {
  return [
    {
      level: 2,
      title: 'Searching a session',
      text: [
        'As a model calls `lcm_grep`: the newest ten hits, with snippets. The floor is the query that one would write by hand, with the same index at its service.',
      ],
      table: grepTable(greps.filter(({ sessions }) => sessions === 1)),
    },
    {
      level: 2,
      title: 'Searching all sessions',
      text: [
        'As `palimpsest lcm grep --all` does it: the first sessions one after the other, then those that the index names, until there are ten hits. The floor is one query over all of them.',
      ],
      table: grepTable(greps.filter(({ sessions }) => sessions > 1)),
    },
  ]
}

function grepTable(greps: readonly GrepFigures[]): Table {
  return tableOf(greps, [
    left('what', ({ what }) => what),
    right('messages', ({ messages }) => whole(messages)),
    right('hits', ({ hits }) => whole(hits)),
    right('n', ({ measured }) => whole(measured.n)),
    right('measured', ({ measured }) => milliseconds(measured.median)),
    right('floor', ({ floor }) => milliseconds(floor.median)),
    right('ratio', ({ measured, floor }) => ratio(measured.median / floor.median)),
    right('ways to the server', ({ trips }) => whole(trips)),
    right('pages of the floor', ({ pages }) => whole(pages)),
  ])
}

function workerSection({ workers, sizes }: ScaleReport): Section {
  return {
    level: 2,
    title: 'Workers at the same time',
    text: [
      `Processes that append turns of about a dozen messages each to the store of ${whole(sizes.at(-1)?.messages ?? 0)} messages, on the same machine as the server. The floor are processes that write the same rows by plain statements, which need not be made first: on the same session they wait for each other in the place of a conflict. Who lost a race looked at the head and wrote again; afterwards every message was counted by its id.`,
    ],
    table: tableOf(workers, [
      right('workers', (row) => whole(row.workers)),
      left('on', ({ on }) => on),
      right('turns/s', ({ turns }) => decimal(turns, 1)),
      right('floor, turns/s', ({ floor }) => decimal(floor, 1)),
      right('share of the floor', ({ turns, floor }) => ratio(turns / floor)),
      right('races lost', ({ conflicts }) => whole(conflicts)),
      right('written', ({ written }) => whole(written)),
      right('there once', ({ found }) => whole(found)),
    ]),
  }
}

function sizeSection({ sizes }: ScaleReport): Section {
  const large = sizes.at(-1)
  const perMillion = (value: number, { messages }: SizeFigures) => bytes((value * 1e6) / messages)
  const sized = (find: (size: SizeFigures) => number) => sizes.map((size) => perMillion(find(size), size))
  const rows = (large?.relations ?? []).map(({ name, kind, rows }) => ({
    cells: [name, kind, rows === undefined ? NOTHING : whole((rows * 1e6) / (large?.messages ?? 0))],
    sizes: sized(
      ({ relations }) => relations.find((one) => one.name === name && one.kind === kind)?.bytes ?? 0,
    ),
  }))
  return {
    level: 2,
    title: 'Sizes',
    text: [
      'Bytes for a million messages: what was measured in each store, times a million, by its messages. Rows are those of the largest store. Small stores have a list of entries that are not merged yet in each index of texts, up to 4 MB each.',
    ],
    table: tableOf(
      [
        ...rows,
        { cells: ['everything', '', NOTHING], sizes: sized(totalOf) },
        {
          cells: ['the messages as JSON', 'characters', NOTHING],
          sizes: sized(({ characters }) => characters),
        },
      ],
      [
        left('table or index', ({ cells }) => cells[0] ?? ''),
        left('what', ({ cells }) => cells[1] ?? ''),
        right('rows for a million messages', ({ cells }) => cells[2] ?? ''),
        ...sizes.map(({ messages }, index) =>
          right(`of ${whole(messages)}`, (row: (typeof rows)[number]) => row.sizes[index] ?? ''),
        ),
      ],
    ),
  }
}

function fillSection({ sizes, sqlite }: ScaleReport): Section {
  const filled = sizes.map((size) => ({ store: 'PostgreSQL', ...size, bytes: totalOf(size) }))
  return {
    level: 2,
    title: 'Filling a store',
    text: [
      'PostgreSQL by two processes through the store, in batches of 200 messages; SQLite by one. Where a time of building is given, the indexes of texts were built behind the rows.',
    ],
    table: tableOf(
      [...filled, { store: 'SQLite', ...sqlite, building: 0 }],
      [
        left('store', ({ store }) => store),
        right('messages', ({ messages }) => whole(messages)),
        right('writing', ({ writing }) => milliseconds(writing)),
        right('building indexes', ({ building }) => (building === 0 ? NOTHING : milliseconds(building))),
        right('messages/s', ({ messages, writing, building }) =>
          decimal((messages * 1000) / (writing + building), 0),
        ),
        right('bytes a message', (row) => whole(row.bytes / row.messages)),
      ],
    ),
  }
}

function totalOf({ relations }: SizeFigures): number {
  return relations.reduce((sum, { bytes: own }) => sum + own, 0)
}

function upkeepSection({ upkeep }: ScaleReport): Section {
  return {
    level: 2,
    title: 'What grows',
    text: [
      'Counts of pages do not depend on how busy a machine is. Entries of new texts wait in a list of each index of texts until it is full or a vacuum comes; merging them is what grows most.',
    ],
    table: tableOf(upkeep, [
      right('messages', ({ messages }) => whole(messages)),
      right('depth of the primary key', ({ depth }) => (depth === null ? NOTHING : String(depth))),
      right('pages for 12 rows', ({ insertPages }) => whole(insertPages)),
      right('log for 12 rows', ({ insertLogged }) => bytes(insertLogged)),
      right('merging 1,000 messages', ({ merging }) => milliseconds(merging)),
      right('vacuum behind 1,000 messages', ({ vacuum }) => milliseconds(vacuum)),
    ]),
  }
}
