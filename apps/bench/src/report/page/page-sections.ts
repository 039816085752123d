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
    LIMITS,
    howItWasMade(runs),
  ]
}

function partOf(run: AnyRun | undefined): Section | Section[] {
  if (run === undefined) return []
  const { page } = MEASURES[run.bench]
  return page === undefined ? [] : page(run.figures as never, run.command)
}

function introduction({ kept }: Runs): Section {
  return {
    level: 1,
    title: 'Benchmarks',
    text: [
      "An agent's conversation outgrows the context window of its model. An engine then replaces the older part with something shorter: a compaction. This page measures what the model can still see afterwards, what that costs and how long it takes. No model answers anything here.",
      'Kept is the share of what the rest of the session goes on to need that is still in the prompt right after a compaction. ' +
        'Each engine stands beside `simple`: thirty lines of code instead of an engine, given the same number of tokens. ' +
        'An engine that does not beat it is not worth having. No single measure is enough, because each can be won without being useful:',
    ],
    ...(kept !== undefined && { table: REWARDS }),
  }
}

const REWARDS = tableOf(
  [
    [
      'names',
      'paths, symbols, error codes and the like that the next 120 messages use again',
      'a bare list of names; read it beside relations',
    ],
    [
      'relations',
      'pairs of names that a later line uses together, close to each other outside of lists',
      'verbatim text; a list scores nothing',
    ],
    ["user's words", "beginnings of the user's messages", "copying all of the user's messages"],
    [
      'values',
      'settings that a user gave in generated dialogues, as they hold now',
      'repeating every sentence',
    ],
    ['found', 'facts that `lcm_grep` returns for words near them', 'nothing known; needs the engine `lcm`'],
    ['bill', 'prompts and summaries at list prices, with a cache', 'showing little'],
  ] as const,
  [
    left('measure', ([measure]) => measure),
    left('what is counted', ([, counted]) => counted),
    left('what wins it without being useful', ([, , winner]) => winner),
  ],
)

const ENGINES = [
  ['compressor lean', 'one structured summary; no file, no tools; the default', 'in doubt'],
  ['compressor classic', 'the same in a longer form, as first described', 'to compare'],
  [
    'lcm',
    'every message in a SQLite file, summaries of it, tools to search and read it',
    'nothing may be lost',
  ],
  ['decisions', 'what was decided, and marks of what was said in two ways', 'decisions are stated plainly'],
  ['decisions over lcm', 'both of the above', 'both'],
] as const

function whatToTake({ kept }: Runs): Section {
  const columns = [
    left('engine', ([name]: (typeof ENGINES)[number]) => `\`${name}\``),
    left('what it shows the model', ([, what]: (typeof ENGINES)[number]) => what),
    left('take it when', ([, , when]: (typeof ENGINES)[number]) => when),
  ]
  if (kept === undefined) return { title: 'Which engine to take', table: tableOf(ENGINES, columns) }
  return {
    title: 'Which engine to take',
    text: 'The last column counts the cells of the next table: measures in windows. Less means worse than no engine.',
    table: tableOf(ENGINES, [
      ...columns,
      left('keeps, beside `simple`', ([name]) => againstSimple(name, kept.figures)),
    ]),
  }
}

const LIMITS: Section = {
  title: 'What this does not measure',
  points: [
    'Answers. A fact in the prompt may be overlooked, and one that is missing may be asked for. With a key, `bench judge` lets models answer and judge.',
    'Reasons, plans and agreements in other words than names, values and beginnings of messages.',
    'Summaries by a model. The offline summariser writes all of them, for peers too. A model writes better ones.',
    'Other work than that of the recorded sessions, which are of coding agents and few. The dialogues are generated and regular. Your own sessions (`--data`) say more.',
    'Services, agents with a compaction of their own, and search by embeddings. Peers are libraries with the settings of their guides.',
    'Invoices. Bills are simulated from list prices; no provider was asked.',
  ],
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
    text: [
      'This page is generated: do not edit it. Each command below is run with `npx -y pnpm@12.21.0` before it and `--json <file>` behind it; `bench report <files> --page <file>` writes this page. Each command prints all of its tables with their intervals.',
      ...facts,
    ],
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
