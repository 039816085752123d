import { readFileSync } from 'node:fs'
import { testContextEngine } from '@palimpsest/contract-tests/vitest'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as summaries from '../src/index.ts'

const README = new URL('../README.md', import.meta.url)
const [example = '', ownCompress = ''] = examplesOf(README)
const printed: string[] = []
const engine = (await runExample(
  example,
  { '@palimpsest/core': core, '@palimpsest/summaries': summaries },
  { console: { log: (...values: unknown[]) => printed.push(values.join(' ')) } },
  'exported',
)) as core.EngineDefinition

it('shows an example that prints what the page says', () => {
  const [, shown] = /```text\n([\s\S]*?)\n```/.exec(readFileSync(README, 'utf8')) ?? []
  expect(printed.join('\n')).toBe(shown)
})

it('shows how to use only the record of a model', async () => {
  const recordOf = (await runExample(
    ownCompress,
    { '@palimpsest/core': core, '@palimpsest/summaries': summaries },
    {},
    'recordOf',
  )) as (messages: readonly core.Message[], request: object) => Promise<string>
  const prompts: string[] = []
  const model: core.CompletionModel = {
    name: 'stand-in',
    complete: async ({ prompt }) => {
      prompts.push(prompt)
      return { text: '## Events\n- A key was named.', finishReason: 'stop' }
    },
  }
  const key = `sk-${'a1B2c3D4'.repeat(5)}`
  const messages = [{ role: 'user', content: `My key is ${key}, and I moved to Bern.` }] as const
  const record = await recordOf(messages, {
    model,
    tokens: core.roughTokenCounter,
    signal: undefined,
  })
  expect(record).toContain('A key was named.')
  expect(prompts.join('\n')).toContain('I moved to Bern')
  expect(prompts.join('\n')).not.toContain(key)
})

testContextEngine({
  name: 'the engine of the README',
  create: ({ options, ...host }) => engine.create(options, host),
  expectCapabilities: ['summarizer'],
  propertyRuns: 8,
})
