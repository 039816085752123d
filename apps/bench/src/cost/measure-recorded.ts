import type { TokenCounter } from '@palimpsest/core'
import {
  compareRecorded,
  findPricing,
  knownPricing,
  type RecordedCacheReport,
} from '@palimpsest/prompt-caching'
import prose from '../../data/page.json' with { type: 'json' }
import type { ReadSessions } from '../commands/options.ts'
import {
  type Counts,
  countsText,
  left,
  NOTHING,
  percent,
  right,
  type Section,
  tableOf,
  whole,
} from '../report/section.ts'
import { USUAL_MODEL } from './measure-placement.ts'

type RecordedResult = ReturnType<typeof measureRecorded>

/** Compares every session; with the rules of the usual model where none is named whose prices are known. */
export function measureRecorded({ sessions, skipped }: ReadSessions, tokens: TokenCounter) {
  const rows = sessions.map((session) => {
    const profile = knownPricing(session.model ?? USUAL_MODEL) ?? findPricing({ model: USUAL_MODEL })
    return { file: session.name, model: profile.model, report: compareRecorded(session, profile, tokens) }
  })
  return { rows, skipped }
}

type Miss = keyof RecordedCacheReport['misses']

/** Causes of each kind of difference. */
const EXPLANATIONS: Readonly<Record<Miss, string>> = prose.differences
const KINDS = Object.keys(EXPLANATIONS) as Miss[]

/** The simulator's reads and writes beside those of recordings. */
export function recordedSection({ rows, skipped }: RecordedResult): Section {
  const occurred = KINDS.filter((kind) => rows.some(({ report }) => (report?.misses[kind] ?? 0) > 0))
  return {
    level: 3,
    title: 'The simulator beside what providers reported',
    text: [
      'Median difference of reads and writes per request, as a share of the prompt, where a recording says what was read; by recorded sizes, and the reads also by our counts. A request differs when it is off by more than 1 %.',
      ...occurred.map((kind) => `${kind}: ${EXPLANATIONS[kind]}.`),
      ...skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
    ],
    table: tableOf(rows, [
      left('session', ({ file }) => file),
      left('rules of', ({ model }) => model),
      right('requests', ({ report }) => whole(report?.requests ?? 0)),
      right('reads', ({ report }) => error(report?.medianReadError)),
      right('writes', ({ report }) => error(report?.medianWriteError)),
      right('reads by our counts', ({ report }) => error(report?.medianCountedError)),
      left('differ', ({ report }) =>
        report === null ? 'fewer than two answers say what was read' : countsText(missesOf(report)),
      ),
    ]),
  }
}

const error = (share: number | undefined): string => (share === undefined ? NOTHING : percent(share, 3))

const missesOf = ({ misses }: RecordedCacheReport): Counts =>
  Object.fromEntries(Object.entries(misses).filter(([, count]) => count > 0))
