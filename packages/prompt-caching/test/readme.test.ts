import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import Anthropic from '@anthropic-ai/sdk'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import * as compressor from '../../compressor/src/index.ts'
import * as caching from '../src/index.ts'
import { contentFaults, fakeAnthropic, markerFaults } from './wire/anthropic/fake-anthropic.ts'

const file = new URL('../README.md', import.meta.url)
const readme = readFileSync(file, 'utf8')
const [planned = '', session = '', gateway = '', found = '', priced = '', unknown = ''] = examplesOf(file)
const shown = [...readme.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text]) => text)

async function run(example: string, given: { modules?: object; fetch?: unknown; result?: string } = {}) {
  const printed: string[] = []
  const log = (...values: unknown[]) =>
    printed.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '))
  const modules = {
    '@palimpsest/core': core,
    '@palimpsest/compressor': compressor,
    '@palimpsest/prompt-caching': caching,
    ...given.modules,
  }
  const value = await runExample(example, modules, { console: { log }, fetch: given.fetch }, given.result)
  return { printed: `${printed.join('\n')}\n`, value }
}

it('prints what the README says', async () => {
  const programs = [planned, found, priced]
  const printed: string[] = []
  for (const program of programs) printed.push((await run(program)).printed)
  expect(printed).toEqual(shown)
})

it("shows a session whose requests Anthropic's SDK sends with breakpoints", async () => {
  const { fetch, received } = fakeAnthropic((body) => [...markerFaults(body), ...contentFaults(body)])
  const Client = function Client() {
    return new Anthropic({ apiKey: 'x', baseURL: 'http://127.0.0.1:9', fetch, maxRetries: 0 })
  }
  const { printed } = await run(session, { modules: { '@anthropic-ai/sdk': { default: Client } } })
  const expected = [...printed.matchAll(/about (\d+) tokens expected/g)].map(([, count]) => Number(count))
  expect(expected[0]).toBe(0)
  expect(expected[1]).toBeGreaterThan(2_500)
  expect(received.map(({ bytes }) => bytes.match(/cache_control/g)?.length)).toEqual([2, 3])
})

it('shows a request to OpenRouter with breakpoints', async () => {
  let sent = ''
  const fetch = async (_: unknown, init: { readonly body: string }) => {
    sent = init.body
    return Response.json({ choices: [{ message: { content: 'Postgres.' } }] })
  }
  const { printed } = await run(gateway, { fetch })
  expect(printed).toContain('Postgres.')
  expect(sent.match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(2)
})

it('shows prices for a model that is unknown', async () => {
  expect(() => caching.findPricing({ model: 'claude-next' })).toThrow(caching.UnknownModelError)
  const { value } = await run(unknown, { result: 'pricing' })
  expect(value).toMatchObject({ model: 'claude-next', input: 3, maxBreakpoints: 4 })
})
