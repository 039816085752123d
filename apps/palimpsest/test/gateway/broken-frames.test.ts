import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { listenForTest } from '../mock-server.ts'
import { startTestGateway } from './test-gateway.ts'

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hello' }], stream: true }
const chunk = (delta: object, finish_reason: string | null = null) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })
const delta = (index: number, text: string) =>
  JSON.stringify({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
const block = (index: number) =>
  JSON.stringify({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } })
const end = JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} })
const item = (text: string) => ({
  type: 'message',
  id: 'msg',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})
const added = JSON.stringify({ type: 'response.output_item.added', output_index: 0, item: item('') })
const said = JSON.stringify({ type: 'response.output_text.delta', output_index: 0, delta: 'some ' })
const done = JSON.stringify({
  type: 'response.output_item.done',
  output_index: 0,
  item: item('some words'),
})
const completed = (output: object[]) =>
  JSON.stringify({ type: 'response.completed', response: { id: 'r', status: 'completed', output } })

const FORMATS = {
  chat: {
    path: '/chat/completions',
    body: CHAT,
    first: [chunk({ role: 'assistant', content: 'some ' })],
    rest: [chunk({ content: 'words' }), chunk({}, 'stop'), '[DONE]'],
    orders: {
      'a call without a name': [
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ],
    },
    shape: { error: { type: 'server_error', code: 'upstream_malformed' } },
    last: '[DONE]',
  },
  messages: {
    path: '/messages',
    body: { ...CHAT, max_tokens: 100 },
    first: [
      JSON.stringify({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } }),
      block(0),
      delta(0, 'some '),
    ],
    rest: [
      delta(0, 'words'),
      JSON.stringify({ type: 'content_block_stop', index: 0 }),
      end,
      JSON.stringify({ type: 'message_stop' }),
    ],
    orders: {
      'a piece before its block': [delta(1, 'words'), end],
      'a block twice': [block(0), end],
      'a block without an end': [end],
    },
    shape: { type: 'error', error: { type: 'api_error', details: { error_code: 'upstream_malformed' } } },
    last: '{"type":"message_stop"}',
  },
  responses: {
    path: '/responses',
    body: { model: 'm', input: 'hello', stream: true, store: false },
    first: [JSON.stringify({ type: 'response.created', response: { id: 'r' } }), added, said],
    rest: [done, completed([item('some words')])],
    orders: {
      'a piece before its item': [said.replace('"output_index":0', '"output_index":1')],
      'an item without an end': [completed([])],
    },
    shape: { type: 'error', code: 'upstream_malformed', error: { code: 'upstream_malformed' } },
    last: '"type":"response.completed"',
  },
} as const

/** The client's view of an upstream's bytes, and the log. */
async function relayed({ path, body }: { path: string; body: object }, bytes: string) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bytes)
    })
  })
  const gateway = await startTestGateway({ baseUrl: `${await listenForTest(server)}/v1` })
  const ask = () =>
    fetch(`${gateway.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const text = await (await ask()).text()
  const events = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? line.slice(6) : []))
  return { text, events, log: gateway.log }
}

const frames = (events: readonly string[]) => events.map((event) => `data: ${event}\n\n`).join('')

describe.each(Object.entries(FORMATS))('%s', (_, format) => {
  const { first, rest, orders, shape, last } = format
  const begun = frames(first)

  test.each<readonly [string, string]>([
    ['JSON that is broken', `data: {"type": \n\n${frames(rest)}`],
    ['two frames in one', `data: ${rest[0]}${rest[0]}\n\n${frames(rest)}`],
    ['JSON behind no field', `dta: ${rest[0]}\n\n${frames(rest)}`],
    ['the page of a proxy', `data: <html>502 Bad Gateway</html>\n\n${frames(rest)}`],
    ['JSON nested 5,000 deep', `data: {"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n\n${frames(rest)}`],
    ['a frame that is cut off', `data: ${rest[0]?.slice(0, -9)}`],
    ...Object.entries(orders).map(([name, events]) => [name, frames(events)] as const),
  ])('%s is an error in the format itself, and in the log', async (_, bytes) => {
    const { events, log } = await relayed(format, begun + bytes)
    expect(events.slice(0, -1).join()).toContain('some ')
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject(shape)
    expect(events.join()).not.toContain(last)
    expect(log).toEqual([
      expect.stringContaining("error: an answer broke off: the upstream's stream is broken"),
    ])
  })

  test('what can be no part of the answer is a warning, and the answer is whole', async () => {
    const odd = 'data: "ping"\n\ndata: \n\nstatus: fine\n\n'
    const { text, events, log } = await relayed(format, begun + odd + frames(rest))
    expect(events.at(-1)).toContain(last)
    expect(text).toContain(': warning: the upstream')
    expect(log).toEqual([
      expect.stringContaining('warning: '),
      expect.stringContaining('a line has no known field'),
    ])
  })
})

test('a whole answer that cannot be read is passed on with a warning', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": [{"mess')
    })
  })
  const { baseUrl, log } = await startTestGateway({
    baseUrl: `${await listenForTest(server)}/v1`,
    engine: 'lcm',
  })
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...CHAT, stream: false }),
  })
  expect(await response.text()).toBe('{"choices": [{"mess')
  expect(response.headers.get('x-palimpsest-warning')).toMatch(/not one of this API/)
  expect(log).toEqual([expect.stringContaining('warning: the answer of the upstream')])
})
