import type { BenchReport } from '../bench-report.ts'
import { whole } from '../format.ts'
import { left, right, type Section, type Table } from '../section.ts'
import { type Comparison, compareArms, type Entry, isBetter } from './compare-arms.ts'
import { compareSpeed } from './compare-speed.ts'

/** Where somebody else is better than every engine of ours; computed, measure by measure. */
export function peerSections(report: BenchReport): Section[] {
  const comparisons = compareArms(report)
  const all = [...comparisons, ...compareSpeed(report)]
  const [peers, bounds] = [winsOf(all, 'peer'), winsOf(all, 'bound')]
  const withPeers = comparisons.filter(({ entries }) => has(entries, 'peer') && has(entries, 'engine'))
  const judged = all.filter(({ entries }) => has(entries, 'peer') && has(entries, 'engine'))
  return [
    {
      level: 2,
      title: 'Where peers win',
      text: [
        `Every measure above that says which of two arms is better, within every budget, taken by itself: a peer against the best of our engines at just that measure; and the times of cutting the same list, where a peer that writes no summary has less to do. ${peerVerdict(peers.length, judged.length)}`,
        'A win says nothing about the rest: who shows less pays less, and a beginning that never changes is easily cached. Look at the recall of the same arm.',
      ],
      ...(peers.length > 0 && { table: winTable(peers, 'peers that are better') }),
    },
    ...(withPeers.length === 0 ? [] : [engineSection(withPeers), behindSection(withPeers)]),
    ...(all.some(({ entries }) => has(entries, 'bound')) ? [boundSection(bounds)] : []),
  ]
}

function boundSection(wins: readonly Win[]): Section {
  return {
    level: 3,
    title: 'Where bounds are better than our best engine',
    text: [
      '`full` ignores the budget and keeps everything, `empty` shows next to nothing and costs next to nothing, `truncate` is the end of the conversation. What the first two win is how far there is to go; what `truncate` wins, an agent without an engine has for nothing.',
      ...(wins.length === 0 ? ['None is, at any measure.'] : []),
    ],
    ...(wins.length > 0 && { table: winTable(wins, 'bounds that are better') }),
  }
}

interface Win {
  readonly comparison: Comparison
  readonly winners: readonly Entry[]
  readonly engine: Entry
}

function winsOf(comparisons: readonly Comparison[], kind: 'peer' | 'bound'): Win[] {
  return comparisons.flatMap((comparison) => {
    const { better, entries } = comparison
    const engine = entries.find((entry) => entry.kind === 'engine')
    if (engine === undefined) return []
    const winners = entries.filter((entry) => entry.kind === kind && isBetter(better, entry, engine))
    return winners.length === 0 ? [] : [{ comparison, winners, engine }]
  })
}

const has = (entries: readonly Entry[], kind: Entry['kind']): boolean =>
  entries.some((entry) => entry.kind === kind)

function peerVerdict(wins: number, all: number): string {
  if (all === 0) return 'No peer was measured in this run.'
  if (wins === 0)
    return `In none of ${whole(all)} comparisons is one better. What was not measured is below; peers may win there.`
  return `In ${whole(wins)} of ${whole(all)} comparisons one is better, as listed below.`
}

function winTable(wins: readonly Win[], name: string): Table {
  return {
    columns: [left('measure'), left('better is'), left('within'), left(name), left('our best engine')],
    rows: wins.map(({ comparison: { measure, within, better }, winners, engine }) => [
      measure,
      better,
      within,
      winners.map(nameWithFigure).join('; '),
      nameWithFigure(engine),
    ]),
  }
}

const nameWithFigure = ({ arm, text }: Entry): string => `${arm} ${text}`

/** One engine has to do for everything: each by itself, against the best peer of each measure. */
function engineSection(comparisons: readonly Comparison[]): Section {
  const engines = [
    ...new Set(
      comparisons.flatMap(({ entries }) =>
        entries.filter(({ kind }) => kind === 'engine').map(({ arm }) => arm),
      ),
    ),
  ]
  return {
    level: 3,
    title: 'Each engine against the best peer',
    text: [
      'Nobody runs the best engine of each measure at once. Each engine by itself, against the peer that is best at just that measure: in how many of the comparisons it is better, as good, or worse.',
    ],
    table: {
      columns: [left('engine'), ...['better', 'as good', 'worse'].map(right)],
      rows: engines.map((arm) => {
        const outcomes = comparisons.flatMap((comparison) => outcomeOf(comparison, arm))
        const count = (outcome: Outcome) => whole(outcomes.filter((each) => each === outcome).length)
        return [arm, count('better'), count('as good'), count('worse')]
      }),
    },
  }
}

type Outcome = 'better' | 'as good' | 'worse'

function outcomeOf({ better, entries }: Comparison, arm: string): Outcome[] {
  const engine = entries.find((entry) => entry.arm === arm)
  const peer = entries.find(({ kind }) => kind === 'peer')
  if (engine === undefined || peer === undefined) return []
  if (isBetter(better, engine, peer)) return ['better']
  return [isBetter(better, peer, engine) ? 'worse' : 'as good']
}

/** The first table names a peer only where it beats all of our engines: here is each engine that one beats. */
function behindSection(comparisons: readonly Comparison[]): Section {
  const rows = comparisons.flatMap(({ measure, within, better, entries }) => {
    const peer = entries.find(({ kind }) => kind === 'peer')
    if (peer === undefined) return []
    const behind = entries.filter((entry) => entry.kind === 'engine' && isBetter(better, peer, entry))
    if (behind.length === 0) return []
    return [[measure, better, within, nameWithFigure(peer), behind.map(nameWithFigure).join('; ')]]
  })
  return {
    level: 3,
    title: 'Which of our engines a peer beats',
    text: [
      'Measure by measure, the best peer, and each of our engines that it beats, whether or not another of ours is better still.',
      ...(rows.length === 0 ? ['None, at any measure.'] : []),
    ],
    ...(rows.length > 0 && {
      table: {
        columns: ['measure', 'better is', 'within', 'best peer', 'our engines behind it'].map(left),
        rows,
      },
    }),
  }
}
