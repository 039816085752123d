import type { Arm } from '../../arms/arm.ts'
import type { BillRow } from '../../cost/bill-report.ts'
import { DIALOGUE_MEASURES } from '../../dialogues/dialogue-sections.ts'
import { distinct } from '../arm-table.ts'
import { decimal, dollars, whole } from '../format.ts'
import type { ArmRow, Measure } from '../measure.ts'
import type { Runs } from '../run.ts'
import { left, type Section } from '../section.ts'

interface Row extends ArmRow {
  readonly kind: Arm['kind']
}

const TOTAL: Measure<BillRow> = {
  name: 'total bill',
  definition: 'US dollars for prompts and summaries',
  better: 'less',
  of: ({ total }) => total,
  write: dollars,
}

/** Where a package of others is better than every engine of ours; computed. */
export function peersPage({ dialogues, cost }: Runs): Section[] {
  const wins = [
    ...DIALOGUE_MEASURES.flatMap((measure) => winsIn(dialogues?.figures.rows ?? [], measure)),
    ...winsIn(cost?.figures.bills.rows ?? [], TOTAL),
  ]
  return [
    {
      level: 2,
      title: 'Where peers win',
      text: [
        'Measure by measure and budget by budget (dialogues and bills above), the best package of others where it is better than the best of our engines. Who shows nothing shows nothing stale.',
        ...(wins.length === 0 ? ['In none.'] : []),
      ],
      ...(wins.length > 0 && {
        table: { columns: ['measure', 'budget', 'peer', 'our best engine'].map(left), rows: wins },
      }),
    },
  ]
}

function winsIn<R extends Row>(rows: readonly R[], measure: Measure<R>): string[][] {
  const { name, better, of, write = (value: number) => decimal(value, 2) } = measure
  const sign = better === 'less' ? -1 : 1
  return distinct(rows.map(({ budget }) => budget)).flatMap((budget) => {
    const best = (kind: Arm['kind']) =>
      rows
        .filter((row) => row.budget === budget && row.kind === kind)
        .flatMap((row) => {
          const figure = of(row)
          const value = typeof figure === 'number' ? figure : figure?.mean
          return value === undefined ? [] : [{ arm: row.arm, value }]
        })
        .sort((a, b) => sign * (b.value - a.value))[0]
    const [peer, engine] = [best('peer'), best('engine')]
    if (peer === undefined || engine === undefined || sign * (peer.value - engine.value) <= 0) return []
    const text = ({ arm, value }: typeof peer) => `${arm} ${write(value)}`
    // A difference that the table cannot show is none.
    if (write(peer.value) === write(engine.value)) return []
    return [[name, whole(budget), text(peer), text(engine)]]
  })
}
