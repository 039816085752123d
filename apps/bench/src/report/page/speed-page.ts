import { GROWING } from '../../speed/measure-requests.ts'
import type { RatioRow } from '../../speed/ratio-row.ts'
import type { SpeedReport } from '../../speed/run-speed.ts'
import { decimal, madeBy, milliseconds, NOTHING, whole } from '../format.ts'
import { distinct } from '../measure.ts'
import { left, right, type Section, tableOf } from '../section.ts'

/** Operations that a host waits for. */
const DECIDES = [GROWING, 'compress, lean, offline', 'ingest, lean', 'pruneMessages', 'trimMessages']

/** Times with their ratios to floors, one column for each length. */
export function speedPage({ rows }: SpeedReport, command: string): Section[] {
  const shown = rows.filter(({ operation }) => DECIDES.some((part) => operation.includes(part)))
  const sizes = distinct(
    rows.filter(({ operation }) => operation.includes(GROWING)).map(({ messages }) => messages),
  ).sort((a, b) => a - b)
  // A generated list ends with its last turn: it has some messages more than were asked for.
  const sizeOf = ({ messages }: RatioRow) => sizes.findLast((size) => size <= messages)
  return [
    {
      level: 2,
      title: 'How fast it is',
      text: [
        `${madeBy(command)} Milliseconds of the processor; in brackets the ratio to \`JSON.stringify\` of the request, or of the list that is cut. Columns are messages of the conversation. Searches over a million messages are in docs/lcm.md.`,
      ],
      table: tableOf(distinct(shown.map(({ operation }) => operation)), [
        left('operation', (operation) => operation),
        ...sizes.map((size) =>
          right(whole(size), (operation: string) =>
            cellOf(shown.find((row) => row.operation === operation && sizeOf(row) === size)),
          ),
        ),
      ]),
    },
  ]
}

const cellOf = (row: RatioRow | undefined): string =>
  row === undefined ? NOTHING : `${milliseconds(row.measured)} (${decimal(row.ratio, 2)})`
