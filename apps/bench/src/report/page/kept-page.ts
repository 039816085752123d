import type { Estimate } from '../../bootstrap.ts'
import { type KeptRow, MEASURES } from '../../kept/run-kept.ts'
import { SIMPLE_PROJECTIONS } from '../../kept/simple-projections.ts'
import { VALUE_MEASURES, type ValuesReport } from '../../kept/values/run-values.ts'
import { distinct } from '../arm-table.ts'
import { decimal, whole } from '../format.ts'
import type { Run } from '../run.ts'
import { left, right, type Section } from '../section.ts'
import { madeBy } from './made-by.ts'

type Measure = (typeof MEASURES)[number]

const LABELS: Readonly<Record<Measure, string>> = {
  names: 'names',
  relations: 'relations',
  words: "user's words",
}
const VALUE_LABELS = { current: 'current', oldAlone: 'old alone', oldUnmarked: 'old unmarked' } as const
const SIMPLE = 'simple'
const USERS = 'users + tail'
/** Differences below this are none in the table. */
const CLOSE = 0.005

/** What engines keep, beside `simple`, and which measure rewards what. */
export function keptPage({ command, figures: { sessions: rows = [], values } }: Run<'kept'>): Section[] {
  const engines = rows.filter(({ engine, arm }) => engine === arm)
  return [
    {
      level: 2,
      title: 'What is kept',
      text: [
        `${madeBy(command)} In each cell, the share that the engine keeps, then that of \`${SIMPLE}\` in as many tokens. Tokens are means of the projections; few compactions make a row uncertain.`,
      ],
      table: {
        columns: [
          left('window, engine'),
          ...['compactions', 'tokens', ...MEASURES.map((measure) => LABELS[measure])].map(right),
        ],
        rows: engines.map((row) => [
          `${whole(row.window)}, ${row.engine}`,
          whole(row.compactions),
          whole(row.tokens),
          ...MEASURES.map(
            (measure) => `${shareText(row, measure)} / ${shareText(simpleBeside(row, rows), measure)}`,
          ),
        ]),
      },
    },
    ...rewardSection(rows),
    ...(values === undefined ? [] : [valueSection(values, command)]),
  ]
}

/** Whether values stand as the user left them. */
function valueSection({ seeds, rows }: ValuesReport, command: string): Section {
  return {
    level: 3,
    title: 'Values that users change',
    text: [
      `${madeBy(command.split('; ').at(-1) ?? '')} In ${seeds} generated dialogues a user gives 16 things values, changes them, takes them back and mentions old ones. Current: the latest value stands near its subject. Old alone: an earlier one does, and the latest does not. Old unmarked: a line of decisions shows an earlier one as if it held. The third figure is of \`${USERS}\`: all that the user said, without accepted proposals.`,
    ],
    table: {
      columns: [left('window, engine'), ...VALUE_MEASURES.map((measure) => right(VALUE_LABELS[measure]))],
      rows: rows
        .filter(({ engine, arm }) => engine === arm)
        .map((row) => {
          const beside = [row.arm, SIMPLE, USERS].map((arm) =>
            rows.find((each) => each.engine === row.engine && each.window === row.window && each.arm === arm),
          )
          const text = (measure: (typeof VALUE_MEASURES)[number]) =>
            (measure === 'current' ? beside : beside.slice(0, 2))
              .map((each) => decimal(each?.shares[measure]?.mean ?? null, 2))
              .join(' / ')
          return [`${whole(row.window)}, ${row.engine}`, ...VALUE_MEASURES.map(text)]
        }),
    },
  }
}

/** The arms that show what each measure rewards, at the size of one engine. */
function rewardSection(rows: readonly KeptRow[]): Section[] {
  const windows = distinct(rows.map(({ window }) => window)).sort((a, b) => a - b)
  const window = windows[Math.floor(windows.length / 2)]
  const engine = rows.find((row) => row.window === window)?.engine
  if (window === undefined || engine === undefined) return []
  const within = rows.filter((row) => row.window === window && row.engine === engine)
  return [
    {
      level: 3,
      title: 'What each measure rewards',
      text: [
        `The same run: the arms without an engine, in as many tokens as ${engine} in a window of ${whole(window)}.`,
      ],
      table: {
        columns: [left('arm'), left('what it is'), ...MEASURES.map((measure) => right(LABELS[measure]))],
        rows: within.map((row) => [
          row.arm,
          SIMPLE_PROJECTIONS.find(({ name }) => name === row.arm)?.description ?? 'the engine',
          ...MEASURES.map((measure) => shareText(row, measure)),
        ]),
      },
    },
  ]
}

/** In how many cells of the table an engine keeps more than `simple`, as much, and less. */
export function againstSimple(name: string, { figures: { sessions: rows = [] } }: Run<'kept'>): string {
  const cells = rows
    .filter(({ engine, arm }) => engine === name && arm === name)
    .flatMap((row) => MEASURES.map((measure) => differenceOf(row, simpleBeside(row, rows), measure)))
    .filter((difference) => difference !== undefined)
  const count = (test: (difference: number) => boolean) => cells.filter(test).length
  const [more, less] = [count((each) => each > CLOSE), count((each) => each < -CLOSE)]
  return `${more} more, ${cells.length - more - less} as much, ${less} less`
}

function differenceOf(row: KeptRow, simple: KeptRow | undefined, measure: Measure): number | undefined {
  const [own, other] = [row.shares[measure], simple?.shares[measure]]
  return own && other ? own.mean - other.mean : undefined
}

const simpleBeside = ({ engine, window }: KeptRow, rows: readonly KeptRow[]): KeptRow | undefined =>
  rows.find((row) => row.engine === engine && row.window === window && row.arm === SIMPLE)

function shareText(row: KeptRow | undefined, measure: Measure): string {
  const share: Estimate | null = row?.shares[measure] ?? null
  return decimal(share === null ? null : share.mean, 2)
}
