import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listenForTest } from '../mock-server.ts'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const call = (input: string) => {
  const fields = { name: 'f', arguments: input }
  return [
    { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: fields }] },
    { role: 'tool', tool_call_id: 'c', content: 'ok' },
  ]
}

async function ask(body: string) {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'hi' }) })
  const { baseUrl, log } = await startTestGateway(upstream)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body })
  const warning = response.headers.get('x-palimpsest-warning')
  return {
    status: response.status,
    warning,
    log,
    received: upstream.bodies.at(-1),
    text: await response.text(),
  }
}

test.each([
  [
    'beside the messages',
    5_000,
    (value: string) => `"metadata": ${value}, "messages": [{"role": "user", "content": "a"}]`,
  ],
  [
    'in a part of a message',
    5_000,
    (value: string) =>
      `"messages": [{"role": "user", "content": [{"type": "text", "text": "a", "x": ${value}}]}]`,
  ],
  [
    'in the schema of a tool',
    100_000,
    (value: string) =>
      `"tools": [{"type": "x", "y": ${value}}], "messages": [{"role": "user", "content": "a"}]`,
  ],
])('JSON nested deep %s (%i) goes through as it came, with a warning', async (_, depth, write) => {
  const body = `{"model": "mock-large", ${write(nested(depth))}}`
  const { status, warning, received, log } = await ask(body)
  expect(status).not.toBe(500)
  expect(received).toBe(body)
  expect(warning).toContain('nested')
  expect(log).toEqual([])
})

test('arguments of a call that are nested deep do not take the conversation down', async () => {
  const messages = [
    { role: 'user', content: 'a' },
    ...call(`{"x": ${nested(5_000)}}`),
    { role: 'user', content: 'b' },
  ]
  const { status, text } = await ask(JSON.stringify({ model: 'mock-large', messages }))
  expect([status, text]).toEqual([200, expect.stringContaining('hi')])
})

test.each([
  [
    '/chat/completions',
    (deep: string) => `{"choices": [{"message": {"role": "assistant", "content": "hi", "x": ${deep}}}]}`,
  ],
  ['/messages', (deep: string) => `{"type": "message", "content": [{"type": "x", "y": ${deep}}]}`],
  ['/responses', (deep: string) => `{"output": [{"type": "x", "y": ${deep}}], "status": "completed"}`],
])('an answer to %s that is nested deep is passed on as it came, with a warning', async (path, write) => {
  const answer = write(nested(5_000))
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
  })
  const { baseUrl } = await startTestGateway({ baseUrl: `${await listenForTest(server)}/v1` })
  const body = {
    model: 'm',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'a' }],
    input: 'a',
    store: false,
  }
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect([response.status, await response.text()]).toEqual([200, answer])
  expect(response.headers.get('x-palimpsest-warning')).toMatch(/not one of this API/)
})
