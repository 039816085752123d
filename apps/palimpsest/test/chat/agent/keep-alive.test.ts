import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findChatModels } from '../../../src/chat/find-chat-models.ts'
import { isPing, MINUTE, PAUSES, pass, startCachingAnthropic } from '../../gateway/pinged-anthropic.ts'
import { agentBench, say } from './agent-bench.ts'

const LONG = 'word '.repeat(3_000)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function start(promptCaching: string) {
  const server = await startCachingAnthropic()
  const bench = await agentBench({ 'config.yaml': `prompt_caching: {${promptCaching}}\n` })
  await mkdir(bench.home, { recursive: true })
  const path = join(bench.home, 'chat.pauses')
  await writeFile(path, JSON.stringify(PAUSES))
  const flags = { baseUrl: server.baseUrl, model: 'anthropic:claude-sonnet-5-5' }
  const { model, ...found } = await findChatModels(flags, {}, { ANTHROPIC_API_KEY: 'key-of-anthropic' })
  return { server, path, agent: await bench.open(model, found) }
}

test('a prompt is sent again without an answer before it lapses, is paid for, and ends with the chat', async () => {
  const { server, agent } = await start('keep_alive_usd: 1')
  await say(agent, `first ${LONG}`)
  await pass(4 * MINUTE)
  expect(server.requests.filter(isPing)).toEqual([])
  await pass(MINUTE)
  await vi.waitFor(() => expect(server.requests.filter(isPing)).toHaveLength(1))
  const [asked, ping] = server.requests
  const { stream: _, ...body } = asked?.body ?? {}
  expect(ping?.body).toEqual({ ...body, max_tokens: 0 })
  await vi.waitFor(() => expect(agent.costs()).toMatchObject({ requests: 2, unreported: 0 }))
  await say(agent, 'second')
  expect(server.requests.at(-1)?.body.messages).toHaveLength(3)
  await agent.close()
  await pass(10 * MINUTE)
  expect(server.requests.filter(isPing)).toHaveLength(1)
  expect(server.faults).toEqual([])
})

test('a provider that refuses one gets no more of them, and the next turn says so', async () => {
  const { server, agent } = await start('keep_alive_usd: 1')
  await say(agent, `first ${LONG}`)
  server.failNext({ type: 'status', status: 400, kind: 'invalid_request_error', message: 'no such thing' })
  await pass(5 * MINUTE)
  await vi.waitFor(() => expect(server.requests.filter(isPing)).toHaveLength(1))
  const { events } = await say(agent, 'second')
  const message = expect.stringMatching(/^the prompt was not kept .*no such thing/)
  expect(events).toContainEqual({ type: 'warning', warning: { code: 'cache-ping-failed', message } })
  await pass(10 * MINUTE)
  expect(server.requests.filter(isPing)).toHaveLength(1)
})

test.each(['keep_alive_usd: 0', 'keep_alive_usd: 1, cache_ttl: off'])(
  'none is sent with %s',
  async (settings) => {
    const { server, agent } = await start(settings)
    await say(agent, `first ${LONG}`)
    await pass(10 * MINUTE)
    expect(server.requests).toHaveLength(1)
  },
)

test('the pauses of a chat are known to the next one', async () => {
  const { path, agent } = await start('cache_ttl: auto')
  await say(agent, `first ${LONG}`)
  await pass(7 * MINUTE)
  await say(agent, 'second')
  await agent.close()
  const own = JSON.parse(await readFile(path, 'utf8')).at(-1)
  expect(own).toMatchObject({ requests: 2, longPauses: [expect.any(Number)] })
  expect(own.longPauses[0]).toBeGreaterThanOrEqual(7 * MINUTE)
})
