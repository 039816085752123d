import { get } from 'node:http'
import { expect, test } from 'vitest'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const HELLO = { model: 'mock-large', messages: [{ role: 'user', content: 'hello' }] } as const
const count = {
  answer: ({ messages }: { messages: readonly unknown[] }) => ({ content: `${messages.length} messages` }),
}

test('an answer in one piece is the upstream’s own, and names the conversation', async () => {
  const upstream = await startMockUpstream(count)
  const { client } = await startTestGateway(upstream)
  const { data, response } = await client()
    .chat.completions.create({ ...HELLO, messages: [...HELLO.messages], seed: 7 })
    .withResponse()
  expect(data.choices[0]?.message.content).toBe('1 messages')
  expect(data.system_fingerprint).toBe('fp_mock')
  expect(data.usage?.prompt_tokens).toBe(upstream.requests[0]?.promptTokens)
  expect(response.headers.get('x-request-id')).toBe('chatcmpl-1')
  expect(response.headers.get('x-palimpsest-session')).toMatch(/^c-/)
  expect(upstream.requests[0]?.body.seed).toBe(7)
  expect(upstream.requests[0]?.headers.authorization).toBe('Bearer key-of-a-client')
})

test.each([401, 429, 500])('what the upstream refuses with %i arrives as it was', async (status) => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway(upstream)
  for (const stream of [false, true]) {
    upstream.failNext({
      type: 'status',
      status,
      body: '{"error":{"message":"no","code":"x"}}',
      headers: { 'retry-after': '17' },
    })
    const response = await post(baseUrl, { ...HELLO, stream })
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: { message: 'no', code: 'x' } })
    expect(response.headers.get('retry-after')).toBe('17')
  }
})

test('an upstream that is down is an error that says so', async () => {
  const { client } = await startTestGateway({ baseUrl: 'http://127.0.0.1:9/v1' })
  const asked = client().chat.completions.create({ ...HELLO, messages: [...HELLO.messages] })
  await expect(asked).rejects.toMatchObject({
    status: 502,
    code: 'upstream_unreachable',
    type: 'server_error',
  })
})

test.each([
  ['no JSON', '{"model":', 400, 'invalid_json'],
  ['a list', '[]', 400, 'invalid_json'],
  ['too much', JSON.stringify({ messages: 'x'.repeat(2_000) }), 413, 'body_too_large'],
])('%s is refused in the shape of OpenAI’s errors', async (_, body, status, code) => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway({ ...upstream, limits: { body: 1_000 } })
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', code } })
  expect(upstream.requests).toEqual([])
})

test.each([
  ['no messages', {}],
  ['a wrong role', { messages: [{ role: 'function', name: 'f', content: 'x' }] }],
  ['no content', { messages: [{ role: 'user', content: null }] }],
])('%s is for the upstream to judge', async (_, fields) => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway(upstream)
  upstream.failNext({ type: 'status', status: 400, body: '{"error":{"message":"judged"}}' })
  const response = await post(baseUrl, { model: 'mock-large', ...fields })
  expect(await response.json()).toEqual({ error: { message: 'judged' } })
  expect(response.headers.get('x-palimpsest-warning')).toContain('messages')
  expect(upstream.requests[0]?.body).toEqual({ model: 'mock-large', ...fields })
})

test('a result without its call is mended instead of refused', async () => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway(upstream)
  const orphan = { role: 'tool', tool_call_id: 'call_lost', content: 'x' }
  const response = await post(baseUrl, { ...HELLO, messages: [...HELLO.messages, orphan] })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-palimpsest-warning')).toContain('call_lost')
})

test('a key of the configuration replaces the client’s; the service’s token never leaves', async () => {
  const upstream = await startMockUpstream({ ...count, apiKey: 'configured' })
  const configured = await startTestGateway({ ...upstream, apiKey: 'configured', hasToken: true })
  await configured
    .client('service-token')
    .chat.completions.create({ ...HELLO, messages: [...HELLO.messages] })
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer configured'])
  // Without one, the token would be sent to the upstream.
  await expect(startTestGateway({ ...upstream, hasToken: true })).rejects.toThrow('PALIMPSEST_UPSTREAM_KEY')
})

test('a page of another origin gets nothing, also one of this machine; the server’s own does', async () => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway(upstream)
  const statuses: number[] = []
  for (const origin of ['https://evil.example', 'null', 'http://localhost:5173', new URL(baseUrl).origin])
    statuses.push((await post(baseUrl, HELLO, { origin })).status)
  expect(statuses).toEqual([403, 403, 403, 200])
  const forwarded = await post(baseUrl, {}, { origin: 'http://localhost:5173' }, '/embeddings')
  expect(forwarded.status).toBe(403)
  const open = await startTestGateway({ ...upstream, apiKey: 'key', hasToken: true })
  expect((await post(open.baseUrl, HELLO, { origin: 'https://app.example' })).status).toBe(200)
})

test.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
  'what a page can send as “%s” without being asked is no request',
  async (type) => {
    const upstream = await startMockUpstream(count)
    const { baseUrl } = await startTestGateway(upstream)
    const response = await post(baseUrl, HELLO, { 'content-type': type })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ error: { code: 'not_json' } })
    expect(upstream.requests).toEqual([])
    // A body that is only forwarded may be a file, or have no type.
    const forwarded = await post(baseUrl, {}, { 'content-type': type }, '/embeddings')
    expect(forwarded.status).toBe(type === '' ? 200 : 415)
  },
)

test('models are listed, and other paths go through as they are', async () => {
  const upstream = await startMockUpstream(count)
  const { client, baseUrl } = await startTestGateway(upstream)
  const models = await client().models.list()
  expect(models.data.map(({ id }) => id)).toEqual(['mock-large', 'mock-small'])
  const embeddings = await post(baseUrl, { input: 'x' }, {}, '/embeddings?user=7')
  expect(await embeddings.json()).toMatchObject({ received: { input: 'x' } })
  expect((await fetch(`${baseUrl}/nowhere`)).status).toBe(404)
})

test.each(['%2e%2e%2fsecret', '..%2fadmin', '..%5Cadmin', 'x/..%252f..%252fadmin', '..;/admin'])(
  'a path that leads out of the upstream’s base URL, %s, is not forwarded',
  async (path) => {
    const upstream = await startMockUpstream(count)
    const { baseUrl } = await startTestGateway(upstream)
    // As a program writes it: fetch would resolve some of it.
    const { hostname, port } = new URL(baseUrl)
    const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = get({ hostname, port, path: `/v1/${path}` }, async (response) => {
        resolve([response.statusCode, (await response.toArray()).join('')])
      })
      request.on('error', reject)
    })
    expect([status, body]).toEqual([404, expect.stringContaining('unknown_path')])
  },
)

test.each([
  '//chat/completions',
  '/chat//completions/',
  '/%63hat/completions',
  '/chat%2Fcompletions',
  '/./chat/../chat/completions',
])('%s is the path of a request whose context is managed', async (path) => {
  const upstream = await startMockUpstream(count)
  const { baseUrl } = await startTestGateway(upstream)
  const response = await post(baseUrl, HELLO, {}, path)
  expect([response.status, response.headers.has('x-palimpsest-session')]).toEqual([200, true])
  expect(upstream.paths.at(-1)).toBe('/v1/chat/completions')
})

test('the window is what the upstream lists, unless the configuration knows better', async () => {
  const upstream = await startMockUpstream({ ...count, listing: { max_model_len: 24_000 } })
  const { client, inspector } = await startTestGateway({ ...upstream, windows: { 'mock-small': 9_000 } })
  for (const model of ['mock-large', 'mock-small'])
    await client().chat.completions.create({ model, messages: [{ role: 'user', content: model }] })
  expect(inspector.list().map(({ model, window }) => [model, window])).toEqual([
    ['openai:mock-small', 9_000],
    ['openai:mock-large', 24_000],
  ])
})

test('a window that the user names is the largest that is used', async () => {
  const upstream = await startMockUpstream({ ...count, listing: { max_model_len: 24_000 } })
  const { client, inspector } = await startTestGateway({
    ...{ ...upstream, maxWindow: 12_000 },
    windows: { 'mock-small': 9_000 },
  })
  for (const model of ['mock-large', 'mock-small'])
    await client().chat.completions.create({ model, messages: [{ role: 'user', content: model }] })
  expect(inspector.list().map(({ window }) => window)).toEqual([9_000, 12_000])
})

function post(baseUrl: string, body: object, headers = {}, path = '/chat/completions'): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
