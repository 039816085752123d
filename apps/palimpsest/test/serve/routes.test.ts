import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { echo, scripted, startTestService, words } from './test-service.ts'

// Every answer in these tests is held against /openapi.json by the caller itself.
describe('the service', () => {
  it('describes itself in valid OpenAPI', async () => {
    const { description } = await startTestService()
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(description)))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path))
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      'init',
      'query',
      'compact',
      'state',
      'costs',
      'health',
    ])
    expect(description).toMatchObject({
      servers: [{ url: '/' }],
      security: [{}, { token: [] }],
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    })
    expect(Object.keys(description.paths)).toEqual([
      '/init',
      '/query',
      '/compact',
      '/state',
      '/costs',
      '/health',
    ])
  })

  it('begins the default session with a POST without a body, but not for a page elsewhere', async () => {
    const service = await startTestService()
    await service.post('/query', { query: 'We use Postgres.' })
    const init = async (headers: Record<string, string>, body?: string) => {
      const response = await fetch(`${service.url}/init`, {
        method: 'POST',
        headers,
        ...(body !== undefined && { body }),
      })
      return { status: response.status, key: ((await response.json()) as { key?: string }).key }
    }
    expect(await init({})).toEqual({ status: 200, key: 'default#2' })
    expect(await init({ 'content-type': 'text/plain' }, '')).toMatchObject({ status: 200 })
    expect(await init({ 'content-type': 'application/json' }, '')).toMatchObject({ status: 200 })
    expect(await init({ origin: service.url })).toMatchObject({ status: 200 })
    for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null'])
      expect(await init({ origin })).toMatchObject({ status: 403 })
    expect(await init({ 'content-type': 'text/plain' }, '{}')).toMatchObject({ status: 415 })
    expect((await service.get('/state')).body).toMatchObject({ turn: 0, key: 'default#2' })
  })

  it('answers in a conversation, and tells what it amounts to', async () => {
    const service = await startTestService()
    const begun = await service.post('/init', { repoName: 'kinto' })
    expect(begun.body).toEqual({ ok: true, session: 'default', key: 'default', repoName: 'kinto' })

    const first = await service.post('/query', { query: 'We use Postgres.' })
    expect(first.body).toMatchObject({
      answer: 'You said: We use Postgres.',
      session: 'default',
      turn: 1,
      offline: false,
      usage: { requests: 1, promptTokens: 100, cachedTokens: 40, completionTokens: 10 },
    })
    const { total, ...parts } = first.body.breakdown
    expect(total).toBe(Object.values<number>(parts).reduce((sum, count) => sum + count, 0))

    const second = await service.post('/query', { query: 'And now?', task: 'review' })
    expect(second.body).toMatchObject({ answer: 'You said: Task: review\n\nAnd now?', turn: 2 })
    const state = await service.get('/state')
    expect(state.body).toMatchObject({ session: 'default', repoName: 'kinto', turn: 2, decisions: null })
    expect(state.body.breakdown).toEqual(second.body.breakdown)
    expect((await service.get('/health')).body).toMatchObject({
      status: 'ok',
      engine: 'compressor',
      loaded: 1,
    })
  })

  it('compacts on request, and answers from the summary behind it', async () => {
    const service = await startTestService({ models: { answer: echo() }, window: 8_000 })
    for (let turn = 1; turn <= 12; turn++)
      await service.post('/query', {
        query: `Turn ${turn}: ${'we talk about src/store.ts at length. '.repeat(30)}`,
      })
    const { body } = await service.post('/compact', { focus: 'the store' })
    expect(body).toMatchObject({ session: 'default', outcome: 'compacted' })
    expect(body.tokensAfter).toBeLessThan(body.tokensBefore)
    const state = (await service.get('/state')).body
    expect(state).toMatchObject({ turn: 12, summary: expect.stringContaining('src/store.ts') })
    const next = await service.post('/query', { query: 'go on' })
    expect(next.body.breakdown.summaries).toBe(state.breakdown.summaries)
  })

  it('answers every call to a route that there is not with JSON', async () => {
    const service = await startTestService()
    for (const path of ['/none', '/init/more', '/%00', '/../etc/passwd', '/__proto__'])
      expect((await service.get(path)).body.error.code).toBe('unknown-route')
    const lines = service.log.filter((line) => line.includes(' 404 '))
    expect(lines).toHaveLength(5)
    expect(lines.join()).not.toMatch(/etc|proto/)
  })

  it('runs the tools that the model calls before it answers', async () => {
    const answer = scripted(({ messages, tools }) => {
      const last = messages.at(-1)
      if (last?.role === 'tool') return words(`The tool says ${String(last.content).slice(0, 2_000)}`)
      expect(tools?.map((tool) => tool.function.name)).toContain('lcm_grep')
      const call = { name: 'lcm_grep', arguments: '{"query":"Postgres"}' }
      return {
        message: { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: call }] },
        finishReason: 'tool-calls',
      }
    })
    const service = await startTestService({ engine: 'lcm', models: { answer } })
    const { body } = await service.post('/query', { query: 'We use Postgres here.' })
    expect(body.answer).toContain('Postgres')
    expect(body.usage.requests).toBe(1)
    const { body: state } = await service.get('/state')
    expect(state.turn).toBe(1)
  })

  it('ends a model that only ever calls tools, and keeps nothing of the turn', async () => {
    let calls = 0
    const answer = scripted(() => {
      const call = {
        id: `c${++calls}`,
        type: 'function' as const,
        function: { name: 'lcm_describe', arguments: '{' },
      }
      return { message: { role: 'assistant', tool_calls: [call] }, finishReason: 'tool-calls' }
    })
    const service = await startTestService({ engine: 'lcm', models: { answer } })
    const { status, body } = await service.post('/query', { query: 'hello' })
    expect([status, body.error.code]).toEqual([502, 'no-answer'])
    expect(calls).toBe(9)
    expect((await service.get('/state')).body.turn).toBe(0)
  })
})
