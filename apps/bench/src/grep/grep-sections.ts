import { interval, whole } from '../report/format.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import type { GrepRow } from './run-grep.ts'

/** One table: how a fact is asked for, the order of the hits, and the share of facts that they show. */
export function grepSections(rows: readonly GrepRow[]): Section[] {
  return [
    {
      level: 2,
      title: 'Facts by the words near them',
      text: [
        'Identifiers of recorded sessions, asked for with `lcm_grep` by words from within 160 characters of them. Found: a hit is the message itself, or its snippet and the 1,000 bytes from its offset on show the identifier. 95 % interval (bootstrap over sessions).',
      ],
      table: tableOf(rows, [
        left('asked by', ({ question }) => question),
        left('order', ({ order }) => order),
        right('within', ({ within }) => `${within} hits`),
        right('found', ({ found }) => interval(found)),
        right('n', ({ found }) => whole(found?.n ?? 0)),
      ]),
    },
  ]
}
