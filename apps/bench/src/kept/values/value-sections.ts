import { distinct } from '../../report/arm-table.ts'
import { interval, whole } from '../../report/format.ts'
import { left, right, type Section } from '../../report/section.ts'
import { projectionTable } from '../projection-table.ts'
import { VALUE_MEASURES, type ValueFailure, type ValuesReport } from './run-values.ts'
import type { Standing } from './standing.ts'
import type { Way } from './value-dialogue.ts'

const NAMES: Readonly<Record<keyof Standing, string>> = {
  current: 'current stands',
  oldAlone: 'old alone',
  oldUnmarked: 'old unmarked',
}
const DEFINITIONS: Readonly<Record<keyof Standing, string>> = {
  current:
    "the latest value of a subject stands within 240 characters of a word of the subject, or in the user's own sentence. Of a value that was taken back: the sentence that took it back stands, or the value with a mark.",
  oldAlone: 'a value that is over stands so, and the latest one does not.',
  oldUnmarked:
    'a line of the block of decisions shows a value that is over, without the latest one and without a word such as was, contested, no longer.',
}

/** A table for each window: every engine, and simple projections of its size. */
export function valueSections({ rows, seeds }: ValuesReport): Section[] {
  return [
    {
      level: 2,
      title: 'Values in dialogues',
      text: [
        `Generated dialogues with a coding agent (${seeds}, about 100,000 tokens each): the user gives 16 subjects values, changes them once or twice, takes them back and confirms them, each in at least eight ways, with work between and mentions of old values behind. After each compaction every subject talked of so far is one case. Shares of all cases, with a 95 % interval (bootstrap over dialogues); the two of old values are of the subjects that have one.`,
      ],
      points: VALUE_MEASURES.map((measure) => `${NAMES[measure]}: ${DEFINITIONS[measure]}`),
    },
    ...distinct(rows.map(({ window }) => window)).flatMap((window): Section[] => {
      const within = rows.filter((row) => row.window === window)
      const engines = within.filter(({ arm, engine }) => arm === engine)
      const ways = distinct(within.flatMap(({ currentBy }) => Object.keys(currentBy))) as Way[]
      return [
        {
          level: 3,
          title: `Values in a window of ${whole(window)} tokens`,
          text: [],
          table: projectionTable(within, NAMES, VALUE_MEASURES, ['current', 'oldAlone']),
        },
        {
          level: 3,
          title: `Current values by the user's latest word, ${whole(window)} tokens`,
          text: [],
          table: {
            columns: [left('engine'), ...ways.map((way) => right(way))],
            rows: engines.map(({ engine, currentBy }) => [
              engine,
              ...ways.map((way) => interval(currentBy[way] ?? null)),
            ]),
          },
        },
      ]
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
