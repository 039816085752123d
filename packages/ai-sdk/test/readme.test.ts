import { readFileSync } from 'node:fs'
import compressor from '@palimpsest/compressor'
import * as lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import * as ai from 'ai'
import { MockProviderV4 } from 'ai/test'
import { afterEach, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as aiSdk from '../src/index.ts'
import { call, mockModel, promptTokens } from './support/mock-model.ts'

const file = new URL('../README.md', import.meta.url)
const [whole = '', agent = '', restart = '', , , completion = ''] = examplesOf(file)

afterEach(() => vi.unstubAllGlobals())

/** Runs an example with its models replaced, and returns what it printed and the value of `result`. */
async function run(
  example: string,
  models: Record<string, ReturnType<typeof mockModel>['model']>,
  result?: string,
) {
  const printed: string[] = []
  const console = { log: (line: unknown) => printed.push(String(line)) }
  const provider = new MockProviderV4({ languageModels: models })
  vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', provider)
  const gateway = (id: string) => provider.languageModel(id)
  const modules = {
    ai: { ...ai, gateway },
    '@palimpsest/ai-sdk': aiSdk,
    '@palimpsest/compressor': { default: compressor },
    '@palimpsest/lcm': lcm,
  }
  return { printed, value: await runExample(example, modules, { console }, result) }
}

it('shows a loop that works: the model finds what is no longer in front of it', async () => {
  const { model, calls } = mockModel(({ prompt }, index) =>
    index === 0
      ? [call('1', 'lcm_grep', { query: 'postgres' })]
      : `You chose it here: ${JSON.stringify(prompt.at(-1)).match(/We store everything in \w+/)}`,
  )
  const { model: summaries, calls: asked } = mockModel(
    () => 'They wrote notes about a ledger, which counts in cents.',
  )
  const { printed, value } = await run(
    whole,
    { 'anthropic/claude-sonnet-5.5': model, 'google/gemini-3-flash': summaries },
    'messages',
  )
  expect(printed[0]).toMatch(/^about \d+ tokens are left$/)
  expect(printed.at(-1)).toBe('You chose it here: We store everything in Postgres')
  expect(asked.length).toBeGreaterThan(0)
  expect(Math.max(...calls.map(promptTokens))).toBeLessThan(16_000)
  expect(value).toHaveLength(124)
})

it('continues a conversation with the same store and id', async () => {
  const stored = createSqliteStore({ path: ':memory:' })
  const modules = {
    '@palimpsest/ai-sdk': aiSdk,
    '@palimpsest/lcm': lcm,
    '@palimpsest/store': { createSqliteStore: () => stored },
  }
  const open = async () =>
    (await runExample(restart, modules, {}, 'context')) as ReturnType<typeof aiSdk.contextEngine>
  const first = await open()
  await first.session.append([{ role: 'user', content: 'We store everything in Postgres.' }])
  await first.end()
  const second = await open()
  await second.session.prepare()
  expect(second.session.transcript).toHaveLength(1)
  await second.end()
})

it('shows an agent that works', async () => {
  const { model } = mockModel((_, index) => (index === 0 ? [call('1', 'clock', {})] : 'Cents.'))
  const { value } = await run(agent, { 'anthropic/claude-sonnet-5.5': model }, 'agent')
  const { text, steps } = await (value as ai.ToolLoopAgent).generate({ prompt: 'In what?' })
  expect([text, steps.length]).toEqual(['Cents.', 2])
})

it('shows a completion that works, and the defaults as they are', async () => {
  const { model } = mockModel(() => 'Three fixes and a release.')
  const { printed } = await run(completion, { 'google/gemini-3-flash': model })
  expect(printed).toEqual(['Three fixes and a release.'])
  const readme = readFileSync(file, 'utf8')
  for (const value of Object.values(aiSdk.AI_SDK_DEFAULTS))
    expect(readme).toContain(` ${value.toLocaleString('en')} `)
})
