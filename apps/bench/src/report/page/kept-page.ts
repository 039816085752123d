import { KEPT_MEASURES, type KeptRow } from '../../kept/compare-projections.ts'
import { SIMPLE_PROJECTIONS } from '../../kept/simple-projections.ts'
import {
  type KeptReport,
  VALUE_MEASURES,
  type ValueRow,
  type ValuesReport,
} from '../../kept/values/run-values.ts'
import { distinct } from '../measure.ts'
import { decimal, left, madeBy, right, type Section, tableOf, whole } from '../section.ts'

type Measure = keyof typeof KEPT_MEASURES

const MEASURES = Object.keys(KEPT_MEASURES) as Measure[]
const SIMPLE = 'simple'
const USERS = 'users + tail'
const CLOSE = 0.005

export function keptPage({ sessions: rows = [], values }: KeptReport, command: string): Section[] {
  return [
    {
      title: 'What is kept',
      text: `${madeBy(command)} In each cell, the share that the engine keeps, then that of \`${SIMPLE}\` in as many tokens. Tokens are means; few compactions make a row uncertain.`,
      table: tableOf(
        rows.filter(({ engine, arm }) => engine === arm),
        [
          left('window, engine', ({ window, engine }) => `${whole(window)}, ${engine}`),
          right('compactions', ({ compactions }) => whole(compactions)),
          right('tokens', ({ tokens }) => whole(tokens)),
          ...MEASURES.map((measure) =>
            right(
              KEPT_MEASURES[measure].name,
              (row: KeptRow) =>
                `${shareText(row, measure)} / ${shareText(besideOf(row, rows, SIMPLE), measure)}`,
            ),
          ),
        ],
      ),
    },
    rewardSection(rows),
    values === undefined ? [] : valueSection(values, command),
  ].flat()
}

function valueSection({ seeds, rows }: ValuesReport, command: string): Section {
  const shares = (row: ValueRow, measure: keyof typeof VALUE_MEASURES) =>
    [row, besideOf(row, rows, SIMPLE), ...(measure === 'current' ? [besideOf(row, rows, USERS)] : [])]
      .map((each) => decimal(each?.shares[measure]?.mean ?? null, 2))
      .join(' / ')
  return {
    level: 3,
    title: 'Values that users change',
    text:
      `${madeBy(command.split('; ').at(-1) ?? '')} In ${seeds} generated dialogues a user gives 16 things values, changes them and mentions old ones. ` +
      'Current: the latest value stands near its subject. Old alone: an earlier one does, and the latest does not. Old unmarked: a line of decisions shows an earlier one as if it held. ' +
      `The third figure is of \`${USERS}\`: all that the user said, without accepted proposals.`,
    table: tableOf(
      rows.filter(({ engine, arm }) => engine === arm),
      [
        left('window, engine', ({ window, engine }) => `${whole(window)}, ${engine}`),
        ...(Object.keys(VALUE_MEASURES) as (keyof typeof VALUE_MEASURES)[]).map((measure) =>
          right(VALUE_MEASURES[measure].name, (row: ValueRow) => shares(row, measure)),
        ),
      ],
    ),
  }
}

function rewardSection(rows: readonly KeptRow[]): Section | [] {
  const windows = distinct(rows.map(({ window }) => window)).sort((a, b) => a - b)
  const window = windows[Math.floor(windows.length / 2)]
  const engine = rows.find((row) => row.window === window)?.engine
  if (window === undefined || engine === undefined) return []
  const within = rows.filter((row) => row.window === window && row.engine === engine)
  return {
    level: 3,
    title: 'What each measure rewards',
    text: `The same run: the arms without an engine, in as many tokens as ${engine} in a window of ${whole(window)}.`,
    table: tableOf(within, [
      left('arm', ({ arm }) => arm),
      left(
        'what it is',
        ({ arm }) => SIMPLE_PROJECTIONS.find(({ name }) => name === arm)?.description ?? 'the engine',
      ),
      ...MEASURES.map((measure) =>
        right(KEPT_MEASURES[measure].name, (row: KeptRow) => shareText(row, measure)),
      ),
    ]),
  }
}

export function againstSimple(name: string, { sessions: rows = [] }: KeptReport): string {
  const cells = rows
    .filter(({ engine, arm }) => engine === name && arm === name)
    .flatMap((row) => MEASURES.map((measure) => differenceOf(row, besideOf(row, rows, SIMPLE), measure)))
    .filter((difference) => difference !== undefined)
  const count = (test: (difference: number) => boolean) => cells.filter(test).length
  const [more, less] = [count((each) => each > CLOSE), count((each) => each < -CLOSE)]
  return `${more} more, ${cells.length - more - less} as much, ${less} less`
}

function differenceOf(row: KeptRow, simple: KeptRow | undefined, measure: Measure): number | undefined {
  const [own, other] = [row.shares[measure], simple?.shares[measure]]
  return own && other ? own.mean - other.mean : undefined
}

/** The row of another arm in as many tokens. */
const besideOf = <Row extends KeptRow | ValueRow>(
  { engine, window }: Row,
  rows: readonly Row[],
  arm: string,
): Row | undefined => rows.find((row) => row.engine === engine && row.window === window && row.arm === arm)

const shareText = (row: KeptRow | undefined, measure: Measure): string =>
  decimal(row?.shares[measure]?.mean ?? null, 2)
