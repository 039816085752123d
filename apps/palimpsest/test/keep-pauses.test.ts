import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeWithPostgres } from '../../../packages/postgres/test/support/postgres-server.ts'
import { keepPauses, pausesFile } from '../src/keep-pauses.ts'
import { openIndex } from '../src/serve/gateway/conversation-index/open-index.ts'
import { databasePlace } from '../src/stores/store-place.ts'
import { startMockAnthropic } from './gateway/mock-anthropic.ts'
import { startMockUpstream } from './gateway/mock-upstream.ts'
import { MODEL } from './gateway/start-anthropic.ts'
import { temporaryFolder } from './serve/temporary-folder.ts'
import { startTestService } from './serve/test-service.ts'

const SESSION = { requests: 12, longPauses: [400_000, 3_600_000], changes: 1 }

async function setUp() {
  const folder = await temporaryFolder()
  const log: string[] = []
  const path = join(folder, 'serve.db.pauses')
  return { folder, path, log, open: () => keepPauses(pausesFile(path), (line) => log.push(line)) }
}

it('keeps them for the next process', async () => {
  const { folder, log, open } = await setUp()
  const first = await open()
  expect(first.pauses).toEqual([])
  first.pauses.push(SESSION)
  await first.close()
  const second = await open()
  await second.close()
  expect(second.pauses).toEqual([SESSION])
  expect(await readdir(folder)).toEqual(['serve.db.pauses'])
  expect(log).toEqual([])
})

it('stores them each minute, so that a process that is killed loses no more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { path, open } = await setUp()
  const { pauses } = await open()
  pauses.push(SESSION)
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toBe(JSON.stringify([SESSION]))
})

it.each([
  ['cut off', JSON.stringify([SESSION]).slice(0, -9)],
  ['something else', '{"requests":1}'],
  ['a number that is none', JSON.stringify([{ ...SESSION, longPauses: [-1] }])],
])('begins anew after a file that is %s, says so, and writes it again', async (_, text) => {
  const { path, log, open } = await setUp()
  await writeFile(path, text)
  const { pauses, close } = await open()
  expect(pauses).toEqual([])
  expect(log).toEqual([expect.stringContaining(`are learned anew, ${path} is damaged`)])
  pauses.push(SESSION)
  await close()
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual([SESSION])
})

it('says why they cannot be stored, and goes on', async () => {
  const { folder, path, log, open } = await setUp()
  const { pauses, close } = await open()
  await mkdir(path)
  await writeFile(join(path, 'in-the-way'), '')
  pauses.push(SESSION)
  await close()
  expect(log).toEqual([expect.stringMatching(/^warning: the pauses of sessions were not stored: /)])
  expect(await readdir(folder)).toEqual(['serve.db.pauses'])
})

it('is given the sessions of a gateway whose planner learns from them', async () => {
  const folder = await temporaryFolder()
  const upstream = await startMockAnthropic({ answer: () => ({ text: 'hi' }) })
  const path = join(folder, 'serve.db.pauses')
  await writeFile(path, JSON.stringify([SESSION]))
  const service = await startTestService({
    ...{ upstream: upstream.baseUrl, engine: 'lcm', store: join(folder, 'serve.db') },
    config: 'prompt_caching: { cache_ttl: auto }',
  })
  const client = new Anthropic({ baseURL: service.url, apiKey: 'key', maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'hello' }]
  await client.messages.create({ model: MODEL, max_tokens: 100, messages })
  await service.close()
  const own = { requests: 1, longPauses: [], changes: 0 }
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual([SESSION, own])
})

it('makes no file when nothing learns from it', async () => {
  const folder = await temporaryFolder()
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const service = await startTestService({ upstream: upstream.baseUrl, store: join(folder, 'serve.db') })
  await service.close()
  expect((await readdir(folder)).filter((name) => name.includes('pauses'))).toEqual([])
})

describeWithPostgres('in a database', (server) => {
  it('keeps them apart by principal, for the workers that start next', async () => {
    const place = databasePlace({ url: server.url, schema: server.schema(), poolSize: 2 }, 'url')
    const log: string[] = []
    const run = async (principal: string, keepsPauses = true) => {
      const { index, locks, pauses } = await openIndex(place, {
        ...{ principal, keepsPauses },
        log: (line) => log.push(line),
      })
      const found = pauses && [...pauses]
      pauses?.push(SESSION)
      await index?.close()
      await locks?.close()
      return found
    }
    expect(await run('ann')).toEqual([])
    expect(await run('ann')).toEqual([SESSION])
    expect(await run('bob')).toEqual([])
    expect(await run('ann', false)).toBeUndefined()
    expect(await run('ann')).toEqual([SESSION, SESSION])
    expect(log).toEqual([])
  })
})
