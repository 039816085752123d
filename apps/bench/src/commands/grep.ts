import type { GrepRow } from '../grep/run-grep.ts'
import { decimal, interval, madeBy, whole } from '../report/format.ts'
import { left, right, type Section, type Table, tableOf } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { DATA, openSessions, option, parseNumber } from './options.ts'

const CASES = 150

interface GrepOptions {
  readonly data?: string
  readonly seed: number
}

export const grep = defineMeasure<readonly GrepRow[], GrepOptions>({
  description: 'whether lcm_grep finds a fact by words from near it, and with one of them replaced',
  options: [DATA, option('--seed <number>', 'which facts are asked for', parseNumber, 1)],
  async run({ data, seed }, { root, progress }) {
    const { runGrep } = await import('../grep/run-grep.ts')
    const { sessions } = await openSessions(data, root)
    return runGrep({ sessions, cases: CASES, seed, progress })
  },
  sections: grepSections,
  page: grepPage,
})

function grepSections(rows: readonly GrepRow[]): Section[] {
  return [
    {
      level: 2,
      title: 'Facts by the words near them',
      text: [
        'Identifiers of recorded sessions, asked for with `lcm_grep` by words from within 160 characters of them. Found: a hit is the message itself, or its snippet and the 1,000 bytes from its offset on show the identifier. 95 % interval (bootstrap over sessions).',
      ],
      table: grepTable(rows, ({ found }) => interval(found)),
    },
  ]
}

function grepPage(rows: readonly GrepRow[], command: string): Section[] {
  return [
    {
      level: 2,
      title: 'Finding a fact again with lcm_grep',
      text: [
        `${madeBy(command)} A fact is found when a hit is its message, or shows it. The order is an option of the tool.`,
      ],
      table: grepTable(rows, ({ found }) => decimal(found?.mean ?? null, 2)),
    },
  ]
}

function grepTable(rows: readonly GrepRow[], found: (row: GrepRow) => string): Table {
  return tableOf(rows, [
    left('asked by', ({ question }) => question),
    left('order', ({ order }) => order),
    right('within', ({ within }) => `${within} hits`),
    right('found', found),
    right('facts', ({ found }) => whole(found?.n ?? 0)),
  ])
}
