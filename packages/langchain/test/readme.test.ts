import { readFileSync } from 'node:fs'
import * as langgraph from '@langchain/langgraph'
import * as openai from '@langchain/openai'
import * as compressor from '@palimpsest/compressor'
import * as core from '@palimpsest/core'
import * as lcm from '@palimpsest/lcm'
import * as sqlite from '@palimpsest/store'
import * as deepagents from 'deepagents'
import * as langchain from 'langchain'
import { afterEach, expect, it, vi } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as palimpsest from '../src/index.ts'
import {
  call,
  scriptedModel,
  type WireAnswer,
  type WireRequest,
  wireTokens,
} from './support/scripted-provider.ts'

const file = new URL('../README.md', import.meta.url)
const [whole = '', , deep = '', node = ''] = examplesOf(file)

afterEach(() => vi.unstubAllEnvs())

/** Runs an example against a service on loopback, and returns what it printed, its requests and the value of `result`. */
async function run(
  example: string,
  script: (request: WireRequest & { readonly model?: string }, index: number) => WireAnswer,
  result?: string,
) {
  const { model, requests } = await scriptedModel(script)
  vi.stubEnv('OPENAI_API_KEY', 'sk-scripted')
  vi.stubEnv('OPENAI_BASE_URL', String(model.clientConfig.baseURL))
  const printed: string[] = []
  const console = { log: (line: unknown) => printed.push(String(line)) }
  const modules = {
    langchain,
    deepagents,
    '@langchain/langgraph': langgraph,
    '@langchain/openai': openai,
    '@palimpsest/compressor': compressor,
    '@palimpsest/core': core,
    '@palimpsest/langchain': palimpsest,
    '@palimpsest/lcm': lcm,
    '@palimpsest/store': sqlite,
  }
  return { printed, requests, value: await runExample(example, modules, { console }, result) }
}

it('shows an agent that works: the model finds what is no longer in front of it', async () => {
  let answers = 0
  const { printed, requests, value } = await run(
    whole,
    ({ model, messages }) => {
      if (model === 'gpt-5-mini') return 'They wrote notes about a ledger, which counts in cents.'
      if (answers++ === 0) return call('1', 'lcm_grep', { query: 'postgres' })
      return `You chose it here: ${JSON.stringify(messages.at(-1)).match(/We store everything in \w+/)}`
    },
    'state.messages',
  )
  expect(printed[0]).toMatch(/^ledger: about \d+ tokens are left$/)
  expect(printed.at(-1)).toBe('You chose it here: We store everything in Postgres')
  expect(requests.length).toBeGreaterThan(2)
  expect(Math.max(...requests.map(wireTokens))).toBeLessThan(16_000)
  expect(value).toHaveLength(124)
})

it('shows a deep agent that works, with this middleware in the place of its own', async () => {
  const { value, requests } = await run(deep, () => 'Cents.', 'agent.invoke({ messages: "In what?" })')
  const { messages } = value as { readonly messages: readonly { readonly text: string }[] }
  expect(messages.map(({ text }) => text)).toEqual(['In what?', 'Cents.'])
  expect(requests[0]?.tools?.map((tool) => tool.function.name)).toEqual(
    expect.arrayContaining(['task', 'lcm_grep']),
  )
})

it('shows a node with a session, whose summaries the next call of the node finds in the store', async () => {
  const example = node
    .replace('contextLength: 400_000', 'contextLength: 8_000')
    .replace('memory.db', ':memory:')
  const asked: number[] = []
  const { value, requests } = await run(
    example,
    ({ model, messages }) => {
      if (model === 'gpt-5-mini') return 'They asked why.'
      asked.push(messages.length)
      return 'Because.'
    },
    'graph',
  )
  const graph = value as {
    invoke(input: object, config: object): Promise<{ readonly messages: readonly object[] }>
  }
  const ask = (turn: number) =>
    graph.invoke(
      { messages: [{ role: 'user', content: `${turn}: ${'and why? '.repeat(400)}` }] },
      { configurable: { thread_id: 'a' } },
    )
  for (let turn = 1; turn < 12; turn++) await ask(turn)
  expect((await ask(12)).messages).toHaveLength(24)
  expect(asked).toHaveLength(12)
  expect(asked.at(-1)).toBeLessThan(20)
  expect(requests.length - asked.length).toBeGreaterThan(0)
  expect(requests.length - asked.length).toBeLessThan(6)
})

it('names the defaults as they are', () => {
  const { maxSessions } = palimpsest.LANGCHAIN_DEFAULTS
  expect(readFileSync(file, 'utf8')).toContain(`| \`maxSessions\` | ${maxSessions} |`)
})
