import * as agents from '@openai/agents'
import lcm from '@palimpsest/lcm'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as openaiAgents from '../src/index.ts'
import { responsesApi, said } from './support/responses-api.ts'

agents.setTracingDisabled(true)

const [whole = '', provider = ''] = examplesOf(new URL('../README.md', import.meta.url))

it('shows a conversation that works', async () => {
  const { client, bodies } = responsesApi((_, index) => [
    said(`msg_${index}`, ['Noted.', 'In cents.'][index] ?? ''),
  ])
  const printed: unknown[] = []
  const modules = {
    '@openai/agents': agents,
    '@palimpsest/lcm': { default: lcm },
    '@palimpsest/openai-agents': openaiAgents,
    openai: {
      default: function OpenAI() {
        return client
      },
    },
  }
  await runExample(whole, modules, { console: { log: (line: unknown) => printed.push(line) } })
  expect(printed).toEqual(['Noted.', 'In cents.'])
  expect(bodies[1]?.input).toHaveLength(3)
  expect(bodies[0]?.tools?.length).toBeGreaterThan(0)
})

it('shows how a provider is wrapped', async () => {
  const { client, bodies } = responsesApi(() => [said('msg', 'In cents.')])
  const context = openaiAgents.contextEngine({ engine: lcm, contextLength: 100_000 })
  class OpenAIProvider extends agents.OpenAIProvider {
    constructor() {
      super({ openAIClient: client })
    }
  }
  const modules = { '@openai/agents': { ...agents, OpenAIProvider } }
  const runner = (await runExample(provider, modules, { context }, 'runner')) as agents.Runner
  const { finalOutput } = await runner.run(new agents.Agent({ name: 'Coder', model: 'gpt-5.6' }), 'In what?')
  expect(finalOutput).toBe('In cents.')
  expect(bodies).toHaveLength(1)
  expect(context.session.transcript).toHaveLength(1)
})
