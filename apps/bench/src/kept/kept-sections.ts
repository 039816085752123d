import { interval, whole } from '../report/format.ts'
import { definitionsOf, distinct } from '../report/measure.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import { projectionSections } from './compare-projections.ts'
import { KEPT_MEASURES, type KeptReport, type KeptRow } from './run-kept.ts'
import { SIMPLE_PROJECTIONS } from './simple-projections.ts'
import { VALUE_MEASURES, type ValueFailure, type ValuesReport } from './values/run-values.ts'
import type { Way } from './values/value-dialogue.ts'

/** What is kept of recorded sessions and of generated dialogues. */
export function keptSections({ sessions, values }: KeptReport): Section[] {
  return [
    ...(sessions === undefined ? [] : sessionSections(sessions)),
    ...(values === undefined ? [] : valueSections(values)),
  ]
}

function sessionSections(rows: readonly KeptRow[]): Section[] {
  return [
    {
      level: 2,
      title: 'What is kept behind a compaction',
      text: [
        'Recorded sessions are replayed; after each compaction the projection is compared with simple ones of the same transcript in the same number of tokens. Engines have their default options, and no model writes. Shares of all cases, with a 95 % interval (bootstrap over sessions).',
      ],
      points: [
        ...definitionsOf(KEPT_MEASURES),
        ...SIMPLE_PROJECTIONS.map(({ name, description }) => `arm \`${name}\`: ${description}`),
      ],
    },
    ...projectionSections(rows, KEPT_MEASURES, { title: 'A', counted: ['names', 'relations', 'words'] }),
  ]
}

function valueSections({ rows, seeds }: ValuesReport): Section[] {
  const windows = distinct(rows.map(({ window }) => window))
  return [
    {
      level: 2,
      title: 'Values in dialogues',
      text: [
        `Generated dialogues with a coding agent (${seeds}, about 100,000 tokens each): the user gives 16 subjects values, changes them once or twice, takes them back and confirms them, each in at least eight ways, with work between and mentions of old values behind. After each compaction every subject talked of so far is one case. Shares of all cases, with a 95 % interval (bootstrap over dialogues); the two of old values are of the subjects that have one.`,
      ],
      points: definitionsOf(VALUE_MEASURES),
    },
    ...projectionSections(rows, VALUE_MEASURES, { title: 'Values in a', counted: ['current', 'oldAlone'] }),
    ...windows.map((window): Section => {
      const within = rows.filter((row) => row.window === window)
      const ways = distinct(within.flatMap(({ currentBy }) => Object.keys(currentBy))) as Way[]
      return {
        level: 3,
        title: `Current values by the user's latest word, ${whole(window)} tokens`,
        text: [],
        table: tableOf(
          within.filter(({ arm, engine }) => arm === engine),
          [
            left('engine', ({ engine }) => engine),
            ...ways.map((way) =>
              right(way, ({ currentBy }: (typeof rows)[number]) => interval(currentBy[way] ?? null)),
            ),
          ],
        ),
      }
    }),
  ]
}

/** Every statement that was not shown as it is, a line each. */
export function renderValueFailures(failures: readonly ValueFailure[]): string {
  return failures
    .map(({ engine, window, seed, subject, way, value, sentence, olds, at, ...counts }) => {
      const { compactions, notCurrent, oldAlone, oldUnmarked } = counts
      const over = olds.length === 0 ? '' : `, over: ${olds.join(', ')}`
      return `${engine} ${window}, seed ${seed}, message ${at}: ${subject} ${value ?? '(taken back)'}, ${way} «${sentence}»${over}: of ${compactions} compactions not current ${notCurrent}, old alone ${oldAlone}, old unmarked ${oldUnmarked}\n`
    })
    .join('')
}
