import { bytes, decimal, milliseconds, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import type { ScaleReport, TurnFigures } from './scale-report.ts'

/** What a turn may cost in the largest store, as a multiple of what it costs in the smallest. */
const PROMISE = 1.5

/** What turns cost, and what the network adds. */
export function turnSections({ turns }: ScaleReport): Section[] {
  const [small] = turns
  if (small === undefined) return []
  const row = (name: string, of: (figures: TurnFigures) => number, write: (value: number) => string) => [
    name,
    ...turns.map((figures) => write(of(figures))),
    decimal(of(turns.at(-1) ?? small) / of(small), 2),
  ]
  const n = turns.map(({ turn }) => turn.n)
  return [
    {
      level: 2,
      title: 'Cost of a turn',
      text: [
        `The same turns were played into each store in turn, through session and engine, ${n.join(', ')} of them without a compaction, ${decimal(small.length, 1)} messages each on average. Promised: at most ${PROMISE} times as much in the largest store as in the smallest.`,
        verdict(turns),
      ],
      table: {
        columns: [
          left('milliseconds, unless it says something else'),
          ...turns.map(({ messages }) => right(`${whole(messages)} messages`)),
          right('last ÷ first'),
        ],
        rows: [
          row('turn, median', ({ turn }) => turn.median, ms),
          row('turn, mean', ({ turn }) => turn.mean, ms),
          row('turn, 95th percentile', ({ turn }) => turn.p95, ms),
          row('of it waiting for the server, median', ({ waited }) => waited.median, ms),
          row('floor: its rows by plain statements, median', ({ floor }) => floor.median, ms),
          row('floor, mean', ({ floor }) => floor.mean, ms),
          row('turn ÷ floor, medians', ({ turn, floor }) => turn.median / floor.median, ratio),
          row('turn with a compaction, median', ({ compacting }) => compacting.median, ms),
          row('taking up a session, median', ({ pickUp }) => pickUp.median, ms),
          row('log of a turn, mean', ({ logged }) => logged, bytes),
          row('log of the floor, mean', ({ floorLogged }) => floorLogged, bytes),
        ],
      },
    },
    {
      level: 2,
      title: 'Ways to the server and back',
      text: ['Medians. A server that is a millisecond away adds a millisecond for each.'],
      table: {
        columns: [left(''), ...turns.map(({ messages }) => right(`${whole(messages)} messages`))],
        rows: [
          ['of a turn', ...turns.map(({ trips }) => whole(trips))],
          ['transactions of a turn', ...turns.map(({ transactions }) => whole(transactions))],
          ['to take up a session', ...turns.map(({ pickUpTrips }) => whole(pickUpTrips))],
        ],
      },
    },
  ]
}

function verdict(turns: readonly TurnFigures[]): string {
  const [small, large] = [turns[0], turns.at(-1)]
  if (small === undefined || large === undefined) return ''
  const [median, mean] = [large.turn.median / small.turn.median, large.turn.mean / small.turn.mean]
  const sizes = `${whole(large.messages)} messages over ${whole(small.messages)}`
  const outcome = median <= PROMISE && mean <= PROMISE ? 'the promise is kept.' : 'the promise is MISSED.'
  return `${sizes}: ${ratio(median)} by the median and ${ratio(mean)} by the mean; ${outcome}`
}

const ms = (value: number): string => milliseconds(value)
const ratio = (value: number): string => decimal(value, 2)
