import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startFakeGemini } from './fake-gemini.ts'
import { serveProcess } from './served-process.ts'
import { temporaryFolder } from './temporary-folder.ts'

const KEY = 'test-key-0123456789'

it('answers with Gemini, counts what it costs, and finishes what is being answered when it is stopped', async () => {
  let delay = 0
  const gemini = await startFakeGemini({ delay: () => delay })
  const folder = await temporaryFolder()
  await writeFile(
    join(folder, 'config.yaml'),
    `serve:\n  answer_model: gemini:gemini-3-flash-preview\n  base_url: ${gemini.baseUrl}\nlcm:\n  fresh_tail_tokens: 2000\n`,
  )
  const args = ['--engine', 'lcm', '--store', 'serve.db', '--window', '8000']
  const service = await serveProcess(folder, args, { GEMINI_API_KEY: KEY })
  expect((await service.get('/health')).body).toMatchObject({ offline: false, durable: true })
  const said = service.stderr().split('\n')
  expect(said.filter((line) => line.startsWith('Prompt caching'))).toEqual([
    'Prompt caching: automatic for gemini-3-flash-preview at Gemini; nothing to mark',
  ])

  const { body } = await service.post('/query', { query: 'hello', session: 's' })
  expect(body).toMatchObject({ answer: 're: hello', offline: false })
  // 400 fresh tokens at $0.50, 600 cached at $0.05 and 80 of the answer at $3 for a million.
  const usd = (400 * 0.5 + 600 * 0.05 + 80 * 3) / 1_000_000
  expect(body.usage).toEqual({
    model: 'gemini:gemini-3-flash-preview',
    requests: 1,
    promptTokens: 1_000,
    cachedTokens: 600,
    writtenTokens: 0,
    writtenLongTokens: 0,
    completionTokens: 80,
    usd: expect.closeTo(usd, 12),
  })
  for (let turn = 0; turn < 8; turn++)
    await service.post('/query', {
      query: `${turn} ${'the store keeps sessions in src/store.ts. '.repeat(60)}`,
      session: 's',
    })
  await service.post('/compact', { session: 's' })
  const costs = (await service.get('/costs?session=s')).body
  expect(costs.purposes.answer).toMatchObject({
    calls: 9,
    promptTokens: 9_000,
    cachedTokens: 5_400,
    reasoningTokens: 270,
  })
  expect(costs.purposes.answer.usd).toBeCloseTo(9 * usd, 10)
  expect(costs.purposes.compaction.calls).toBeGreaterThan(0)
  expect(costs.total.calls).toBe(gemini.requests.length)
  await service.post('/query', { query: 'hello', session: 'other' })
  expect((await service.get('/costs')).body.total.calls).toBe(gemini.requests.length)
  expect((await service.get('/costs?session=other')).body.total.calls).toBe(1)
  expect(gemini.requests[0]).toMatchObject({ model: 'gemini-3-flash-preview', key: KEY })

  delay = 700
  const asked = gemini.requests.length
  const last = service.post('/query', { query: 'last words', session: 's' })
  while (gemini.requests.length === asked) await new Promise((resolve) => setTimeout(resolve, 5))
  const ended = service.end('SIGTERM')
  expect((await last).body).toMatchObject({ answer: 're: last words', turn: 10 })
  expect(await ended).toBe(0)
  expect(service.stderr()).toContain('SIGTERM: finishing what is being answered')
  expect(service.stderr()).not.toContain(KEY)
  expect(service.stderr()).not.toMatch(/last words|src\/store/)

  delay = 0
  const again = await serveProcess(folder, args, { GEMINI_API_KEY: KEY })
  expect((await again.get('/state?session=s')).body).toMatchObject({ turn: 10 })
  expect((await again.get('/costs?session=s')).body.purposes.answer.calls).toBe(10)
  expect((await again.post('/query', { query: 'and on', session: 's' })).body.turn).toBe(11)
  const sent = gemini.requests
    .at(-1)
    ?.contents.map(({ parts }) => parts.map(({ text }) => text).join(''))
    .join('\n')
  expect(sent).toContain('last words')
  expect(await again.end('SIGINT')).toBe(0)
})
