import { distinct } from '../report/arm-table.ts'
import { whole } from '../report/format.ts'
import type { Section } from '../report/section.ts'
import { MESSAGES_BEHIND } from './kept-reading.ts'
import type { KeptReport } from './kept-report.ts'
import { projectionTable } from './projection-table.ts'
import { type KeptRow, MEASURES } from './run-kept.ts'
import { SIMPLE_PROJECTIONS } from './simple-projections.ts'
import { valueSections } from './values/value-sections.ts'

const NAMES = { names: 'names', relations: 'relations', words: 'words' } as const
/** What each measure counts. */
const DEFINITIONS: Readonly<Record<(typeof MEASURES)[number], string>> = {
  names: `identifiers that the user or the assistant uses in the next ${MESSAGES_BEHIND} messages before anything shows them again. A list of names wins it, and tells a model nothing.`,
  relations:
    'pairs of identifiers that a later line of theirs uses together and that stood together in a line before; kept where both stand within 240 characters. Lists of names are cut out first, so only sentences, code and calls count.',
  words:
    "messages of the user, longer than 12 characters and not put there by a host, whose first 60 characters stand in the projection. All users' messages win it.",
}

/** What is kept of recorded sessions and of generated dialogues. */
export function keptSections({ sessions, values }: KeptReport): Section[] {
  return [
    ...(sessions === undefined ? [] : sessionSections(sessions)),
    ...(values === undefined ? [] : valueSections(values)),
  ]
}

/** A table for each window: every engine, and simple projections of its size. */
function sessionSections(rows: readonly KeptRow[]): Section[] {
  return [
    {
      level: 2,
      title: 'What is kept behind a compaction',
      text: [
        'Recorded sessions are replayed; after each compaction the projection is compared with simple ones of the same transcript in the same number of tokens. Engines have their default options, and no model writes. Shares of all cases, with a 95 % interval (bootstrap over sessions).',
      ],
      points: [
        ...MEASURES.map((measure) => `${measure}: ${DEFINITIONS[measure]}`),
        ...SIMPLE_PROJECTIONS.map(({ name, description }) => `arm \`${name}\`: ${description}`),
      ],
    },
    ...distinct(rows.map(({ window }) => window)).map((window): Section => {
      const within = rows.filter((row) => row.window === window)
      return {
        level: 3,
        title: `A window of ${whole(window)} tokens`,
        text: [],
        table: projectionTable(within, NAMES, MEASURES),
      }
    }),
  ]
}
