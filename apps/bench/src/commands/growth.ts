import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { createMemoryDecisionStore, decisions } from '@palimpsest/decisions'
import { decimal, left, milliseconds, right, type Section, tableOf, whole } from '../report/section.ts'
import { cpuTime, createSamples } from '../speed/time.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseLengths } from './options.ts'

/** Milliseconds of the processor with a number of decisions on record. */
type GrowthRow = { readonly onRecord: number; readonly times: Readonly<Record<Operation, number>> }

const OPERATIONS = [
  'a turn that decides',
  'a turn that asks',
  'decisions_list',
  'decisions_explain',
  'the first prepare',
] as const
type Operation = (typeof OPERATIONS)[number]

type GrowthOptions = { readonly decisions: readonly number[] }

export const growth = defineMeasure<readonly GrowthRow[], GrowthOptions>({
  description:
    'what a turn and the tools of the engine decisions cost with few and with many decisions on record',
  options: [option('--decisions <list>', 'decisions on record', parseLengths, [100, 10_000])],
  async run({ decisions: sizes }) {
    const rows: GrowthRow[] = []
    for (const size of sizes) rows.push(await measure(size))
    return rows
  },
  sections: growthSections,
})

const TURNS = 60

/** Subjects of four kinds, none of them twice. */
function decide(number: number): string {
  const kinds = [
    `Let us set maxRows${number} to ${number + 7}.`,
    `We go with Redis for the cache of service s${number}.`,
    `Always run checks ${number} before step ${number + 1}.`,
    `Rename load${number} to read${number}.`,
  ]
  return kinds[number % kinds.length] ?? ''
}

async function measure(onRecord: number): Promise<GrowthRow> {
  const options = { store: createMemoryDecisionStore(), project: 'bench' }
  const open = (sessionId: string) =>
    createContextSession({
      engine: decisions,
      options,
      contextLength: 200_000,
      tokens: roughTokenCounter,
      sessionId,
    })
  const filling = open('filling')
  await filling.prepare(Array.from({ length: onRecord }, (_, number) => said(decide(number))).flat())
  await filling.end()
  const { collectGarbage } = await import('../speed/collect-garbage.ts')
  // A restart is that of a process, which has no garbage of the filling.
  await collectGarbage()

  const session = open('measured')
  const history: Message[] = []
  const samples = createSamples<Operation>(cpuTime)
  const turn = (operation: Operation, question: string) =>
    samples.time(operation, async () => {
      const [user, message] = said(question)
      await session.prepare([...history, user])
      await session.observe({ message })
      history.push(user, message)
    })
  await turn('the first prepare', 'Hello.')
  for (let number = 0; number < TURNS; number++) {
    await turn('a turn that decides', decide(1_000_000 + number))
    await turn('a turn that asks', `What is maxRows${number * 4}?`)
    const query = `maxRows${number * 4}`
    const listed = await samples.time('decisions_list', () => session.callTool('decisions_list', { query }))
    const [, id] = /"id":"(\w{8})/.exec(listed) ?? []
    await samples.time('decisions_explain', () => session.callTool('decisions_explain', { id }))
  }
  await session.end()
  const medians = OPERATIONS.map((operation) => [operation, samples.timing(operation).median])
  return { onRecord, times: Object.fromEntries(medians) as GrowthRow['times'] }
}

function said(text: string): [user: Message, answer: Message & { readonly role: 'assistant' }] {
  return [
    { role: 'user', content: text },
    { role: 'assistant', content: 'Fine.' },
  ]
}

function growthSections(rows: readonly GrowthRow[]): Section {
  const [first, last] = [rows[0], rows.at(-1)]
  return {
    title: 'Decisions as they grow',
    text: `Milliseconds of the processor, medians of ${TURNS}; the first prepare is that of a restart. The goal is twice at most.`,
    table: tableOf(OPERATIONS, [
      left('operation', (operation) => operation),
      ...rows.map(({ onRecord, times }) =>
        right(`${whole(onRecord)} on record`, (operation: Operation) => milliseconds(times[operation])),
      ),
      right('ratio', (operation) =>
        decimal((last?.times[operation] ?? 0) / (first?.times[operation] ?? 1), 1),
      ),
    ]),
  }
}
