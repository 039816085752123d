import { Option } from 'commander'
import type { HostsRow, HostsRun } from '../hosts/run-hosts.ts'
import { decimal, madeBy, outOf, whole } from '../report/format.ts'
import { left, right, type Section, tableOf } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { chooseArms, DATA, ENGINES, openSessions, option, parseBudgets } from './options.ts'

interface HostsOptions {
  readonly data?: string
  readonly engines?: readonly string[]
  readonly budgets: readonly number[]
}

export interface HostsReport {
  readonly budgets: readonly { readonly budget: number; readonly rows: readonly HostsRow[] }[]
}

export const hosts = defineMeasure<HostsReport, HostsOptions>({
  description: "our engines beside the hosts' own compactions, also when the summariser fails",
  options: [
    DATA,
    ENGINES,
    option('--budgets <list>', 'tokens that the messages of a prompt may take', parseBudgets, [32_000]),
    new Option('--report <file>', 'a page of Markdown'),
  ],
  async run({ data, engines, budgets }, { root, progress }) {
    const { HOST_ARMS } = await import('../hosts/host-arms.ts')
    const { createTokenCounter } = await import('@palimpsest/tokens')
    const { runHosts } = await import('../hosts/run-hosts.ts')
    const { sessions } = await openSessions(data, root)
    const input = { arms: chooseArms(HOST_ARMS, engines), sessions, tokens: createTokenCounter(), progress }
    const reports = []
    for (const budget of budgets) reports.push({ budget, rows: await runHosts({ ...input, budget }) })
    return { budgets: reports }
  },
  sections: ({ budgets }, { command }) => budgets.flatMap((report) => hostSections(report, command)),
})

const KEPT = [
  ['names', 'names'],
  ['relations', 'relations'],
  ['words', "user's words"],
] as const

const share = (value: number): string => decimal(value, 2)
const of = ({ requests }: HostsRun, count: number): string => outOf({ count, n: requests })

function hostSections({ budget, rows }: HostsReport['budgets'][number], command: string): Section[] {
  return [
    {
      level: 2,
      title: `The hosts' own compactions, within ${whole(budget)} tokens`,
      text: [
        `${madeBy(command)} The same sessions, the same offline summariser, prompts looked at in the same places; what is kept is said for \`bench kept\`. Down: the same with a summariser that always fails, the names kept then, and the requests that end in an error. Oversized: the largest prompt behind a single result of three times the budget, as a multiple of the budget, before what does not fit is cut from it. Time: of the processor, as a multiple of \`JSON.stringify\` of the messages.`,
      ],
      table: tableOf(rows, [
        left('compaction', ({ arm }) => arm),
        right('tokens', ({ usual }) => whole(usual.tokens)),
        ...KEPT.map(([key, name]) => right(name, ({ usual }: HostsRow) => share(usual.kept[key]))),
        right('names, down', ({ failing }) => share(failing.kept.names)),
        right('errors, down', ({ failing }) => of(failing, failing.errors)),
        right('oversized', ({ oversized }) => `${decimal(oversized.most, 2)} ×`),
        right('time', ({ usual }) => `${decimal(usual.time, 1)} ×`),
      ]),
    },
    {
      level: 3,
      title: `Requests of the sessions, within ${whole(budget)} tokens`,
      text: [
        'Refused: a provider refuses the prompt (a call without a result, or a result without a call). Above: it is above the budget before what does not fit is cut from it.',
      ],
      points: rows.map(({ arm, description }) => `${arm}: ${description}`),
      table: tableOf(rows, [
        left('compaction', ({ arm }) => arm),
        right('requests', ({ usual }) => whole(usual.requests)),
        right('compactions', ({ usual }) => whole(usual.compactions)),
        right('refused', ({ usual }) => of(usual, usual.invalid)),
        right('above', ({ usual }) => of(usual, usual.above)),
        right('refused, down', ({ failing }) => of(failing, failing.invalid)),
        right('above, down', ({ failing }) => of(failing, failing.above)),
        right("user's words, down", ({ failing }) => share(failing.kept.words)),
      ]),
    },
  ]
}
