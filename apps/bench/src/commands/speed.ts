import { fileURLToPath } from 'node:url'
import { distinct } from '../report/measure.ts'
import {
  decimal,
  left,
  madeBy,
  milliseconds,
  NOTHING,
  right,
  type Section,
  tableOf,
  whole,
} from '../report/section.ts'
import { HOSTILE_TEXTS, type HostileRow } from '../speed/hostile-texts.ts'
import { GROWING } from '../speed/measure-requests.ts'
import type { SpeedReport } from '../speed/run-speed.ts'
import { promisesText, type RatioRow, ratioTable } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseStoreSizes, SEED } from './options.ts'

const SIZES = [400, 1_000, 10_000, 100_000]

export const speed = defineMeasure<SpeedReport>({
  description: 'what sessions and compactions take in time, as ratios to floors of the same run',
  options: [
    option('--messages <list>', 'lengths of the generated conversations', parseStoreSizes, SIZES),
    SEED,
  ],
  async run({ messages: sizes, seed }, { root, progress }) {
    const { runSpeed } = await import('../speed/run-speed.ts')
    return runSpeed({
      seed,
      sizes,
      main: fileURLToPath(new URL('../palimpsest/dist/main.js', root)),
      progress,
    })
  },
  sections: speedSections,
  page: speedPage,
})

function speedSections({ seed, rows, hostile }: SpeedReport): Section[] {
  return [
    {
      title: 'Speed',
      text:
        'Every time is a ratio to a floor that was measured in turn with it. Times are of the processor, so that a busy machine is ' +
        'unfair to neither; n is how often each of the two was measured, and a time is their median. ' +
        `Seed ${seed}. ${promisesText(rows)}`,
      table: ratioTable(rows),
    },
    {
      level: 3,
      title: 'Hostile texts',
      text: `What reads the texts of a conversation, each on the text of ${Object.keys(HOSTILE_TEXTS).length} that costs it most for each character: milliseconds of the processor. Promised are ${HOSTILE_MS} ms for 100 KB, and no more than that for each 100 KB of 1 MB.`,
      table: tableOf(hostile, [
        left('what reads', ({ reader }) => reader),
        left('its worst text', ({ text }) => text),
        right('100 KB', ({ short }) => milliseconds(short)),
        right('1 MB', ({ long }) => milliseconds(long)),
        right('ratio', ({ short, long }) => decimal(long / short, 2)),
        right('promised', (row) => (isQuick(row) ? 'kept' : 'MISSED')),
      ]),
    },
  ]
}

/** Milliseconds for 100 KB of anything. */
const HOSTILE_MS = 50

const isQuick = ({ short, long }: HostileRow): boolean => Math.max(short, long / 10) <= HOSTILE_MS

/** Operations that a host waits for. */
const DECIDES = [GROWING, 'compress, lean, offline', 'ingest, lean', 'pruneMessages', 'trimMessages']

/** Times with their ratios to floors, one column for each length. */
function speedPage({ rows }: SpeedReport, command: string): Section {
  const shown = rows.filter(({ operation }) => DECIDES.some((part) => operation.includes(part)))
  const sizes = distinct(
    rows.filter(({ operation }) => operation.includes(GROWING)).map(({ messages }) => messages),
  ).sort((a, b) => a - b)
  // A generated list ends with its last turn: it has some messages more than were asked for.
  const sizeOf = ({ messages }: RatioRow) => sizes.findLast((size) => size <= messages)
  return {
    title: 'How fast it is',
    text: `${madeBy(command)} Milliseconds of the processor; in brackets the ratio to \`JSON.stringify\` of the request, or of the list that is cut. Columns: messages. Searches over a million messages are in docs/lcm.md.`,
    table: tableOf(distinct(shown.map(({ operation }) => operation)), [
      left('operation', (operation) => operation),
      ...sizes.map((size) =>
        right(whole(size), (operation: string) =>
          cellOf(shown.find((row) => row.operation === operation && sizeOf(row) === size)),
        ),
      ),
    ]),
  }
}

const cellOf = (row: RatioRow | undefined): string =>
  row === undefined ? NOTHING : `${milliseconds(row.measured)} (${decimal(row.ratio, 2)})`
