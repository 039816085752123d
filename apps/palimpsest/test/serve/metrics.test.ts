import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { startCli } from '../run-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

interface Family {
  readonly name: string
  readonly type: string
  readonly metrics: readonly { readonly labels?: object; readonly value?: string; readonly count?: string }[]
}

const parse = createRequire(import.meta.url)('parse-prometheus-text-format') as (text: string) => Family[]
const guide = () => readFile(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')
const words = (turn: number) => `turn ${turn}: ${'words of some length '.repeat(40)}`

/** The counts of a service: by its metrics' names, and a value by labels. */
async function scrape(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/metrics`, { headers })
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const families = new Map(parse(await response.text()).map((family) => [family.name, family]))
  return {
    families,
    value(name: string, labels: object) {
      const all = families.get(name)?.metrics ?? []
      const found = all.find((one) => JSON.stringify(one.labels ?? {}) === JSON.stringify(labels))
      return found === undefined ? undefined : Number(found.value ?? found.count)
    },
  }
}

it('counts compactions, tokens, cache reads and calls of the service and of its gateway', async () => {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const service = await startTestService({ upstream: upstream.baseUrl, window: 8_000 })
  const messages = Array.from({ length: 60 }, (_, turn) => [
    { role: 'user', content: words(turn) },
    { role: 'assistant', content: 'yes' },
  ]).flat()
  const body = JSON.stringify({
    model: 'mock-large',
    messages: [...messages, { role: 'user', content: 'b' }],
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  expect((await fetch(`${service.url}/v1/chat/completions`, init)).status).toBe(200)
  for (const query of ['one', 'two']) await service.post('/query', { query })
  for (const path of ['/made-up', '/v1/made-up', '/api/made-up']) await fetch(service.url + path)

  const { value, families } = await scrape(service.url)
  const source = 'gateway'
  expect(value('palimpsest_compactions_total', { source, outcome: 'compacted' })).toBeGreaterThan(0)
  const before = value('palimpsest_compacted_tokens_total', { source, when: 'before' })
  const after = value('palimpsest_compacted_tokens_total', { source, when: 'after' })
  expect(before).toBeGreaterThan(after ?? Number.POSITIVE_INFINITY)
  const prompt = upstream.requests[0]?.promptTokens
  expect(value('palimpsest_model_tokens_total', { source, kind: 'prompt' })).toBe(prompt)
  expect(value('palimpsest_model_tokens_total', { source: 'service', kind: 'cache_read' })).toBe(80)
  expect(value('palimpsest_model_tokens_total', { source: 'service', kind: 'completion' })).toBe(20)
  const calls = (route: string, status: string) => value('palimpsest_http_requests_total', { route, status })
  expect([calls('/query', '200'), calls('/v1/chat/completions', '200')]).toEqual([2, 1])
  expect([calls('other', '404'), calls('/v1/', '404'), calls('/api/', '404')]).toEqual([1, 1, 1])
  expect(families.get('palimpsest_http_request_duration_seconds')?.type).toBe('HISTOGRAM')
  for (const one of ['service', 'gateway']) {
    expect(value('palimpsest_conversations', { source: one })).toBe(1)
    expect(value('palimpsest_waiting_requests', { source: one })).toBe(0)
  }
  expect(value('nodejs_eventloop_lag_p99_seconds', {})).toBeGreaterThanOrEqual(0)

  // The guide names what there is, and nothing else.
  const named =
    (await guide()).match(/^\| `(?:palimpsest|nodejs)_\w+`/gm)?.map((row) => row.slice(3, -1)) ?? []
  const own = [...families.keys()].filter((name) => name.startsWith('palimpsest_'))
  expect(named.filter((name) => !families.has(name))).toEqual([])
  expect(own.filter((name) => !named.includes(name))).toEqual([])
})

it('tells OpenTelemetry of calls, with the guide’s own SDK', async () => {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const code = /```js\n(\/\/ telemetry\.mjs\n[^`]+)```/.exec(await guide())?.[1] ?? ''
  // Where its packages are found.
  const file = fileURLToPath(new URL(`./telemetry-${process.pid}.mjs`, import.meta.url))
  await writeFile(file, code.replace('10_000', '500'))
  onTestFinished(() => rm(file))
  const args = ['serve', '--port', '0', '--json', '--upstream', upstream.baseUrl]
  const child = startCli(args, await temporaryFolder(), { NODE_OPTIONS: `--import ${file}` })
  onTestFinished(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  await vi.waitFor(() => expect(output).toContain('"url"'), 60_000)
  const url = /"url":"([^"]+)"/.exec(output)?.[1]
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock-large', messages: [{ role: 'user', content: 'a secret' }] }),
  })
  expect(response.status).toBe(200)
  await vi.waitFor(() => expect(output).toContain("name: 'chat mock-large'"), 30_000)
  await vi.waitFor(() => expect(output).toContain('gen_ai.client.token.usage'), 30_000)
  await vi.waitFor(() => expect(output).toContain('palimpsest.model_tokens'), 30_000)
  expect(output).not.toContain('a secret')
})
