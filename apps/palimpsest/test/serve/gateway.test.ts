import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkUpstream } from '../../src/serve/gateway/open-gateway.ts'
import { UsageError } from '../../src/usage-error.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

const HELLO = { model: 'mock-large', messages: [{ role: 'user', content: 'hello' }] }
const answer = () => ({ content: 'hi' })

it('has its gateway and its page behind the one token', async () => {
  const upstream = await startMockUpstream({ answer, apiKey: 'upstream-key' })
  const token = 'correct-horse'
  const service = await startTestService({
    ...{ token, upstream: upstream.baseUrl, upstreamKey: 'upstream-key' },
    headers: { authorization: `Bearer ${token}` },
  })
  const call = (path: string, authorization: string, body?: object) =>
    fetch(service.url + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const paths = ['/api/sessions', '/api/events', '/metrics', '/v1/models', '/v1/embeddings']
  for (const path of paths) expect([path, (await call(path, '')).status]).toEqual([path, 401])
  expect((await call('/v1/chat/completions', 'Bearer upstream-key', HELLO)).status).toBe(401)
  expect(upstream.requests).toEqual([])

  const answered = await call('/v1/chat/completions', `Bearer ${token}`, HELLO)
  const name = answered.headers.get('x-palimpsest-session')
  expect(answered.status).toBe(200)
  const shown = await (await call('/api/sessions', `Bearer ${token}`)).json()
  expect(shown).toMatchObject({ sessions: [{ source: 'gateway', requests: 1 }] })
  expect((await service.get('/health')).body).toMatchObject({ gateway: true, loaded: 1 })
  const log = service.log.join('\n')
  expect(log).toMatch(new RegExp(`POST /v1/chat/completions 200 \\d+ms session=${name}`))
  expect(log).not.toMatch(/correct-horse|upstream-key|hello/)
})

it('shows on its page after a restart what the engine kept of a conversation', async () => {
  const upstream = await startMockUpstream({ answer })
  const options = {
    upstream: upstream.baseUrl,
    engine: 'lcm',
    store: join(await temporaryFolder(), 'serve.db'),
  }
  const first = await startTestService(options)
  const headers = { 'content-type': 'application/json' }
  const messages = [
    ...HELLO.messages,
    { role: 'assistant', content: 'hi' },
    { role: 'user', content: 'again' },
  ]
  for (const said of [HELLO.messages, messages]) {
    const body = JSON.stringify({ ...HELLO, messages: said })
    const answered = await fetch(`${first.url}/v1/chat/completions`, { method: 'POST', headers, body })
    expect(answered.status).toBe(200)
  }
  await first.close()

  const second = await startTestService(options)
  // biome-ignore lint/suspicious/noExplicitAny: what comes is what the test is about.
  const read = async (path: string): Promise<any> => (await fetch(second.url + path)).json()
  const { sessions } = await read('/api/sessions')
  expect(sessions).toMatchObject([{ source: 'gateway', isStored: true }])
  const { view } = await read(`/api/sessions/${encodeURIComponent(sessions[0].id)}`)
  expect(view.messages.map(({ text }: { text: string }) => text)).toEqual(['hello', 'hi', 'again', 'hi'])
})

it.each([
  ['http://user:secret@models.example/v1', undefined, 'a user or a password'],
  ['http://models.example/v1', 'sk-…', 'PALIMPSEST_UPSTREAM_KEY has signs'],
  ['http://localhost:3000/v1', undefined, 'this service itself'],
])('does not start in front of %s with the key %s', (baseUrl, apiKey, message) => {
  const check = () => checkUpstream(baseUrl, apiKey, 3_000)
  expect(check).toThrow(UsageError)
  expect(check).toThrow(message)
  expect(check).not.toThrow(/secret|sk-/)
})
