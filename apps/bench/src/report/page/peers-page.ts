import type { Arm } from '../../arms/arm.ts'
import { BILL_MEASURES } from '../../cost/run-bills.ts'
import { DIALOGUE_MEASURES } from '../../dialogues/dialogue-measures.ts'
import { decimal, whole } from '../format.ts'
import { type ArmRow, distinct, type Figure, type Measure, plainValue } from '../measure.ts'
import type { Runs } from '../runs.ts'
import { left, type Section, tableOf } from '../section.ts'

export function peersPage({ dialogues, cost }: Runs): Section[] {
  const keys = Object.keys(DIALOGUE_MEASURES) as (keyof typeof DIALOGUE_MEASURES)[]
  const total = { ...BILL_MEASURES.total, name: 'total bill' }
  const wins = [
    ...keys.flatMap((key) => winsIn(dialogues?.figures.rows ?? [], key, DIALOGUE_MEASURES[key])),
    ...winsIn(cost?.figures.bills.rows ?? [], 'total', total),
  ]
  return [
    {
      level: 2,
      title: 'Where peers win',
      text: [
        'The measures and budgets where the best package of others is better than our best engine. Who shows nothing shows nothing stale. Misled: an old value stands there, its correction does not. Topics: titles of what came up before. Functions: those whose settled numbers are all there.',
        ...(wins.length === 0 ? ['In none.'] : []),
      ],
      ...(wins.length > 0 && {
        table: tableOf(wins, [
          left('measure', ({ name }) => name),
          left('budget', ({ budget }) => whole(budget)),
          left('peer', ({ peer }) => peer),
          left('our best engine', ({ engine }) => engine),
        ]),
      }),
    },
  ]
}

function winsIn<Key extends string>(
  rows: readonly (ArmRow & Readonly<Record<Key, Figure>>)[],
  key: Key,
  { name, better, write = (value: number) => decimal(value, 2) }: Measure<never>,
) {
  const sign = better === 'less' ? -1 : 1
  return distinct(rows.map(({ budget }) => budget)).flatMap((budget) => {
    const best = (kind: Arm['kind']) =>
      rows
        .filter((row) => row.budget === budget && row.kind === kind)
        .flatMap((row) => {
          const value = plainValue(row[key])
          return value === null ? [] : [{ arm: row.arm, value }]
        })
        .sort((a, b) => sign * (b.value - a.value))[0]
    const [peer, engine] = [best('peer'), best('engine')]
    if (peer === undefined || engine === undefined || sign * (peer.value - engine.value) <= 0) return []
    const text = ({ arm, value }: typeof peer) => `${arm} ${write(value)}`
    // A difference that the table cannot show is none.
    if (write(peer.value) === write(engine.value)) return []
    return [{ name, budget, peer: text(peer), engine: text(engine) }]
  })
}
