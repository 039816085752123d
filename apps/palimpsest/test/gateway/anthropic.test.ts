import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { type AnthropicBody, blocksOf, textOf } from './anthropic-fault.ts'
import type { AnthropicReply, MockAnthropic } from './mock-anthropic.ts'
import { MODEL, READ, SYSTEM, startAnthropic as start } from './start-anthropic.ts'

type Messages = Anthropic.MessageParam[]

const echo = (body: AnthropicBody): AnthropicReply => ({
  text: `You said: ${textOf(body.messages.at(-1)?.content)}`,
})

/** Thinks, looks into the engine's store once, and answers with what it sees. */
function looks({ messages, tools = [] }: AnthropicBody): AnthropicReply {
  const last = blocksOf(messages.at(-1)?.content)
  const thinking = `Thought ${messages.length}.`
  if (last[0]?.type === 'tool_result') return { thinking, text: 'It is done.' }
  if (!tools.some(({ name }) => name === 'lcm_describe')) return { thinking, text: 'No tool.' }
  return { thinking, text: 'One moment.', calls: [{ name: 'lcm_describe', input: {} }] }
}

function sent(upstream: MockAnthropic): AnthropicBody[] {
  return upstream.requests.map(({ body }) => body)
}

/** Without breakpoints, which move. */
function unmarked(value: unknown): string {
  return JSON.stringify(value, (key, member) => (key === 'cache_control' ? undefined : member))
}

test('what the engine leaves as it was goes out byte for byte, with keys and headers that are not known here', async () => {
  const { upstream, client, gateway } = await start(echo)
  const body = {
    model: MODEL,
    max_tokens: 100,
    metadata: { user_id: 'someone' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    a_new_key: [1],
    tools: [READ, { type: 'web_search_20250305', name: 'web_search' }],
    tool_choice: { type: 'none' },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'd' }, title: null },
          { text: 'look', type: 'text', cache_control: { type: 'ephemeral' } },
          { type: 'a_new_block', of: { any: 'kind' } },
        ],
      },
      { role: 'system', content: 'An instruction between messages.' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
          { type: 'text', text: 'Found.', citations: [{ type: 'web_search_result_location', url: 'u' }] },
          {
            type: 'tool_use',
            id: 'toolu_a',
            name: 'read_file',
            input: { z: 1, a: 2 },
            caller: { type: 'direct' },
          },
          { type: 'tool_use', id: 'toolu_b', name: 'read_file', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_a',
            is_error: true,
            content: [{ type: 'text', text: 'no' }],
          },
          { type: 'tool_result', tool_use_id: 'toolu_b' },
          { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'r' }] },
          { type: 'text', text: 'and now?' },
        ],
      },
    ],
  }
  const headers = { 'anthropic-beta': 'one-2026-01-01,two-2026-01-01' }
  const answer = await client.messages.create(body as unknown as Anthropic.MessageCreateParamsNonStreaming, {
    headers,
    query: { beta: 'true' },
  })
  expect(textOf(answer.content)).toContain('and now?')
  const [request] = upstream.requests
  expect(request?.text).toBe(JSON.stringify(body))
  expect(request?.path).toBe('/v1/messages?beta=true')
  expect(request?.headers).toMatchObject({
    ...headers,
    'anthropic-version': expect.any(String),
  })
  expect(request?.headers.authorization).toBe('Bearer key-of-a-client')
  expect(gateway.loaded).toBe(1)
})

test.each(['whole', 'streamed'] as const)(
  'steps with the engine’s tools are one answer to the client, %s, and come back with their thinking',
  async (how) => {
    const { upstream, client, log } = await start(looks)
    const messages: Messages = [{ role: 'user', content: 'How is the store?' }]
    const ask = async () => {
      const request = { model: MODEL, max_tokens: 500, system: SYSTEM, messages }
      const answer = await (how === 'whole'
        ? client.messages.create(request)
        : client.messages.stream(request).finalMessage())
      messages.push({ role: 'assistant', content: answer.content })
      return answer
    }
    const first = await ask()
    expect(first.content.map((block) => block.type)).toEqual(['thinking', 'text', 'text'])
    expect(textOf(first.content)).toContain('One moment.\nIt is done.')
    expect(first.stop_reason).toBe('end_turn')
    const inputs = upstream.requests.map(({ promptTokens }) => promptTokens)
    expect(inputs).toHaveLength(2)
    expect(first.usage.input_tokens).toBe(inputs.at(-1))
    messages.push({ role: 'user', content: 'And now?' })
    await ask()
    const [, second, third] = sent(upstream)
    // The client's next list, with the steps that it never saw: as they were, thinking and all.
    const before = second?.messages ?? []
    expect(unmarked(third?.messages.slice(0, before.length))).toBe(unmarked(before))
    expect(third?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(blocksOf(third?.messages[1]?.content).map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'tool_use',
    ])
    expect(upstream.thinkingSeen).toBeGreaterThanOrEqual(3)
    expect([upstream.faults, log]).toEqual([[], []])
  },
)

test('events of a stream have names and running numbers, and pings come through', async () => {
  const { baseUrl } = await start(looks)
  const body = { model: MODEL, max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'a' }] }
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' }
  const response = await fetch(`${baseUrl}/messages`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  const events = [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data ?? '') as { type: string; index?: number },
  }))
  expect(text.match(/^data: /gm)).toHaveLength(events.length)
  for (const { name, data } of events) expect(name).toBe(data.type)
  const starts = events.filter(({ name }) => name === 'content_block_start').map(({ data }) => data.index)
  expect(starts).toEqual([0, 1, 2])
  expect(events.filter(({ name }) => name === 'ping').length).toBeGreaterThan(0)
  expect(events.filter(({ name }) => /^message_/.test(name ?? '')).map(({ name }) => name)).toEqual([
    'message_start',
    'message_delta',
    'message_stop',
  ])
})

test.each([{ type: 'none' }, { type: 'any' }, { type: 'tool', name: 'read_file' }] as const)(
  'the engine’s tools are not offered with tool_choice $type',
  async (choice) => {
    const { upstream, client } = await start(echo)
    const messages: Messages = [{ role: 'user', content: 'a' }]
    const common = { model: MODEL, max_tokens: 9, tools: [READ], messages }
    await client.messages.create({ ...common, tool_choice: choice })
    await client.messages.create({ ...common, tool_choice: { type: 'auto' } })
    const [forced, free] = sent(upstream).map(({ tools = [] }) => tools.map(({ name }) => name))
    expect(forced).toEqual(['read_file'])
    expect(free?.length).toBeGreaterThan(1)
  },
)

test('tokens are counted by the upstream, as the client asks, and no conversation hears of it', async () => {
  const { upstream, client, gateway } = await start(echo)
  const messages: Messages = [{ role: 'user', content: 'How long is this?' }]
  const { input_tokens } = await client.messages.countTokens({ model: MODEL, messages, system: SYSTEM })
  expect(input_tokens).toBeGreaterThan(5)
  expect(upstream.paths).toEqual(['POST /v1/messages/count_tokens'])
  expect(gateway.loaded).toBe(0)
})

test('refusals are the SDK’s typed errors, and so is what the gateway itself says', async () => {
  const { upstream, client, baseUrl } = await start(echo)
  const messages: Messages = [{ role: 'user', content: 'a' }]
  const ask = (stream: boolean) => {
    const request = { model: MODEL, max_tokens: 9, messages }
    return stream ? client.messages.stream(request).finalMessage() : client.messages.create(request)
  }
  for (const stream of [false, true]) {
    upstream.failNext({ type: 'status', status: 429, kind: 'rate_limit_error', message: 'Slow down' })
    const limited = await ask(stream).catch((error) => error)
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError)
    expect(limited.error).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down' },
    })
    expect(limited.headers.get('retry-after')).toBe('7')
  }
  upstream.failNext({ type: 'disconnect' })
  const broken = await ask(true).catch((error) => error)
  expect(String(broken.message)).toContain('broke off')
  upstream.failNext({ type: 'error-event' })
  const overloaded = await ask(true).catch((error) => error)
  expect(overloaded).toBeInstanceOf(Anthropic.APIError)
  expect(String(overloaded.message)).toContain('Overloaded')
  const bad = await fetch(`${baseUrl}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{',
  })
  expect([bad.status, await bad.json()]).toEqual([
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: expect.stringContaining('JSON'),
        details: { error_code: 'invalid_json' },
      },
    },
  ])
})

test('the key of the configuration goes out as Anthropic’s API wants it', async () => {
  const { upstream, client } = await start(echo, { apiKey: 'key-of-the-service' })
  await client.messages.create({ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'a' }] })
  const [request] = upstream.requests
  expect(request?.headers['x-api-key']).toBe('key-of-the-service')
  expect(request?.headers.authorization).toBeUndefined()
})
