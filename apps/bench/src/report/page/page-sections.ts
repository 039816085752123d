import prose from '../../../data/page.json' with { type: 'json' }
import type { Arm } from '../../arms/arm.ts'
import { DIALOGUE_MEASURES } from '../../commands/dialogues.ts'
import { MEASURES } from '../../commands/measures.ts'
import { BILL_MEASURES } from '../../cost/run-bills.ts'
import { type ArmRow, distinct, type Figure, type Measure, plainValue } from '../measure.ts'
import type { AnyRun, Measured, Runs } from '../runs.ts'
import { bytes, decimal, left, type Section, tableOf, whole } from '../section.ts'
import { againstSimple } from './kept-page.ts'

export function pageSections(runs: Runs): Section[] {
  return [
    introduction(runs),
    whatToTake(runs),
    ...(Object.keys(MEASURES) as Measured[]).flatMap((bench) => partOf(runs[bench])),
    peersPage(runs),
    { title: 'What this does not measure', points: prose.limits },
    howItWasMade(runs),
  ]
}

function partOf(run: AnyRun | undefined): Section | Section[] {
  if (run === undefined) return []
  const { page } = MEASURES[run.bench]
  return page === undefined ? [] : page(run.figures as never, run.command)
}

function introduction({ kept }: Runs): Section {
  const table = tableOf(prose.rewards, [
    left('measure', ([measure = '']) => measure),
    left('what is counted', ([, counted = '']) => counted),
    left('what wins it without being useful', ([, , winner = '']) => winner),
  ])
  return { level: 1, title: 'Benchmarks', text: prose.introduction, ...(kept !== undefined && { table }) }
}

function whatToTake({ kept }: Runs): Section {
  const columns = [
    left('engine', ([name]: readonly string[]) => `\`${name}\``),
    left('what it shows the model', ([, what = '']: readonly string[]) => what),
    left('take it when', ([, , when = '']: readonly string[]) => when),
  ]
  const title = 'Which engine to take'
  if (kept === undefined) return { title, table: tableOf(prose.engines, columns) }
  const text = 'The last column counts the cells of the next table. Less means worse than no engine.'
  const last = left('keeps, beside `simple`', ([name = '']: readonly string[]) =>
    againstSimple(name, kept.figures),
  )
  return { title, text, table: tableOf(prose.engines, [...columns, last]) }
}

function howItWasMade(runs: Runs): Section {
  const made = Object.values(runs).filter((run): run is AnyRun => run !== undefined)
  const [first] = made
  const facts =
    first === undefined
      ? []
      : [
          `Machine: ${first.machine.cpu}, ${first.machine.cores} cores, ${bytes(first.machine.memory)}; Node ${first.versions.node}, SQLite ${first.versions.sqlite}, langchain ${first.versions.langchain}, ai ${first.versions.ai}. Everything but times is the same in every run.`,
        ]
  return {
    title: 'How to make it again',
    text: [prose.again, ...facts],
    points: made.flatMap(({ command, date }) => command.split('; ').map((each) => `\`${each}\` (${date})`)),
  }
}

function peersPage({ dialogues, cost }: Runs): Section {
  const keys = Object.keys(DIALOGUE_MEASURES) as (keyof typeof DIALOGUE_MEASURES)[]
  const total = { ...BILL_MEASURES.total, name: 'total bill' }
  const wins = [
    ...keys.flatMap((key) => winsIn(dialogues?.figures.rows ?? [], key, DIALOGUE_MEASURES[key])),
    ...winsIn(cost?.figures.bills.rows ?? [], 'total', total),
  ]
  return {
    title: 'Where peers win',
    text: [prose.peers, ...(wins.length === 0 ? ['In none.'] : [])],
    ...(wins.length > 0 && {
      table: tableOf(wins, [
        left('measure', ({ name }) => name),
        left('budget', ({ budget }) => whole(budget)),
        left('peer', ({ peer }) => peer),
        left('our best engine', ({ engine }) => engine),
      ]),
    }),
  }
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
