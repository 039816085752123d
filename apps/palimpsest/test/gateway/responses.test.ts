import OpenAI from 'openai'
import type { Response, ResponseInputItem, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { type MockResponses, type ResponsesReply, startMockResponses } from './mock-responses.ts'
import { startTestGateway } from './test-gateway.ts'

const READ_FILE = {
  type: 'function',
  name: 'read_file',
  strict: false,
  parameters: { type: 'object' },
} as const
const GREP = { name: 'lcm_grep', arguments: { query: 'hello' } }
const READ = { name: 'read_file', arguments: { path: 'a.ts' } }
const ASKED = {
  model: 'gpt-5',
  store: false,
  instructions: 'Be brief.',
  include: ['reasoning.encrypted_content' as const],
  tools: [READ_FILE],
}

const NESTED = `${'['.repeat(5_000)}${']'.repeat(5_000)}`

/** Answers with one reply after the other. */
function script(...replies: readonly ResponsesReply[]): () => ResponsesReply {
  let next = 0
  return () => replies[next++] ?? { text: 'nothing more' }
}

async function start(...replies: readonly ResponsesReply[]) {
  const upstream = await startMockResponses({ answer: script(...replies) })
  const gateway = await startTestGateway(upstream)
  return { upstream, gateway, openai: gateway.client() }
}

type Ask = (openai: OpenAI, input: ResponseInputItem[] | string) => Promise<Response>
const askWhole: Ask = (openai, input) => openai.responses.create({ ...ASKED, input })
const askStreamed: Ask = (openai, input) => openai.responses.stream({ ...ASKED, input }).finalResponse()
const modes = { 'in one piece': askWhole, 'as a stream': askStreamed }

function asItems(output: Response['output']): ResponseInputItem[] {
  return output as ResponseInputItem[]
}

function inputs({ requests }: MockResponses): (readonly unknown[])[] {
  return requests.map(({ body }) => body.input as readonly unknown[])
}

test.each(Object.entries(modes))(
  'a loop of tools with reasoning runs through the gateway, %s',
  async (_, ask) => {
    const { upstream, openai, gateway } = await start(
      { thinks: true, text: 'Let me see.', calls: [READ, { name: 'apply_patch', input: '*** Begin' }] },
      { thinks: true, text: 'Done.' },
    )
    const user = { role: 'user', content: 'read it' } as const
    const first = await ask(openai, [user])
    expect(first.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'custom_tool_call',
    ])
    const input = [user, ...asItems(first.output)]
    for (const item of first.output) {
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: 'const a = 1' })
      if (item.type === 'custom_tool_call')
        input.push({ type: 'custom_tool_call_output', call_id: item.call_id, output: 'ok' })
    }
    const second = await ask(openai, input)
    expect(second.output_text).toBe('Done.')
    expect(second.tools).toEqual([READ_FILE])
    // The client's own items, as they came.
    expect(JSON.stringify(upstream.requests[1]?.body.input)).toBe(JSON.stringify(input))
    expect(upstream.reasoningBack).toBe(1)
    expect([upstream.refused, gateway.log]).toEqual([[], []])
  },
)

test.each(Object.entries(modes))('an engine’s tool is answered inside, %s', async (_, ask) => {
  const { upstream, openai } = await start(
    { thinks: true, text: 'Let me look.', calls: [GREP] },
    { thinks: true, text: 'You said hello.' },
    { text: 'Yes.' },
  )
  const user = { role: 'user', content: 'hello' } as const
  const response = await ask(openai, [user])
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'reasoning', 'message'])
  expect(response.output_text).toBe('Let me look.You said hello.')
  expect(response.usage?.input_tokens).toBe(upstream.requests[1]?.promptTokens)
  expect(JSON.stringify(response)).not.toContain('lcm_')

  await ask(openai, [user, ...asItems(response.output), { role: 'user', content: 'sure?' }])
  const [first, second, third] = inputs(upstream)
  expect(second?.slice(0, first?.length)).toEqual(first)
  // Reasoning of the hidden round went back as it was, and what the client never saw is there again.
  expect(second?.[1]).toMatchObject({ type: 'reasoning', encrypted_content: expect.stringMatching(/^gAAAA/) })
  expect(third?.slice(0, second?.length)).toEqual(second)
  expect(upstream.reasoningBack).toBe(3)
  expect(upstream.refused).toEqual([])
})

test('of reasoning that led to a hidden call, the client has only the summary, and sends nothing of it on', async () => {
  const { upstream, openai } = await start({ thinks: true, calls: [GREP] }, { text: 'Found.' })
  const user = { role: 'user', content: 'hello' } as const
  const { output } = await askStreamed(openai, [user])
  expect(output[0]).toMatchObject({ type: 'reasoning', summary: [{ text: 'I think.' }] })
  expect(JSON.stringify(output)).not.toContain('gAAAA')
  // Another gateway knows nothing of the first one's answer.
  const later = (await startTestGateway(upstream)).client()
  await askWhole(later, [user, ...asItems(output), { role: 'user', content: 'and?' }])
  expect(JSON.stringify(inputs(upstream).at(-1))).not.toContain('reasoning')
  expect(upstream.refused).toEqual([])
})

test('a stream of several rounds is one: events in order, one id, one end', async () => {
  const { openai } = await start(
    { thinks: true, text: 'Look.', calls: [GREP] },
    { thinks: true, text: 'Found.', calls: [READ] },
  )
  const events: ResponseStreamEvent[] = []
  const request = { ...ASKED, input: 'hello', stream: true } as const
  for await (const event of await openai.responses.create(request)) events.push(event)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  const framing = events.filter((event) => 'response' in event)
  expect(framing.map(({ type }) => type)).toEqual([
    ...['response.created', 'response.in_progress', 'response.completed'],
  ])
  expect(new Set(framing.map((event) => 'response' in event && event.response.id)).size).toBe(1)
  const added = events.flatMap((event) => (event.type === 'response.output_item.added' ? event : []))
  expect(added.map(({ output_index, item }) => [output_index, item.type])).toEqual([
    ...[[0, 'reasoning'] as const, [1, 'message'] as const, [2, 'reasoning'] as const],
    ...[[3, 'message'] as const, [4, 'function_call'] as const],
  ])
  const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? event.item : []))
  const last = events.at(-1)
  expect(last?.type === 'response.completed' && last.response.output).toEqual(done)
  expect(JSON.stringify(events)).not.toContain('lcm_')
})

test.each([
  [
    'a status',
    { type: 'status', status: 400, error: { message: 'too long', code: 'context_length_exceeded' } },
  ],
  [
    'an event',
    { type: 'failed-event', code: 'context_length_exceeded', message: 'Your input exceeds the window' },
  ],
] as const)('a prompt that is too long is sent once more when %s says so', async (_, fault) => {
  const { upstream, openai } = await start({ text: 'Fits now.' })
  upstream.failNext(fault)
  const words = 'word '.repeat(3_000)
  const input = Array.from({ length: 12 }, (_, turn): ResponseInputItem => {
    if (turn % 2 === 0) return { role: 'user', content: `${turn} ${words}` }
    return { role: 'assistant', content: `${turn} ${words}` }
  })
  const events: ResponseStreamEvent[] = []
  const stream = openai.responses.stream({
    ...ASKED,
    input: [...input, { role: 'user', content: 'and now?' }],
  })
  stream.on('event', (event) => void events.push(event))
  expect((await stream.finalResponse()).output_text).toBe('Fits now.')
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  const [first, second] = upstream.requests
  expect(upstream.requests).toHaveLength(2)
  expect(second?.promptTokens).toBeLessThan((first?.promptTokens ?? 0) / 1.2)
})

test('errors are typed: a refusal, a failure in the stream, an upstream that breaks off', async () => {
  const { upstream, openai, gateway } = await start({ text: 'one two three' }, { text: 'one two three' })
  const limit = { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' }
  upstream.failNext({ type: 'status', status: 429, error: limit })
  await expect(askWhole(openai, 'hello')).rejects.toBeInstanceOf(OpenAI.RateLimitError)

  upstream.failNext({ type: 'error-event', code: 'server_error', message: 'the GPU fell over' })
  await expect(askStreamed(openai, 'hello')).rejects.toMatchObject({ code: 'server_error' })
  upstream.failNext({ type: 'disconnect' })
  const broken = askStreamed(openai, 'hello')
  await expect(broken).rejects.toBeInstanceOf(OpenAI.APIError)
  await expect(broken).rejects.toThrow('broke off')
  upstream.failNext({ type: 'failed-event', code: 'server_error', message: 'the GPU fell over' })
  expect(await askStreamed(openai, 'hello')).toMatchObject({
    status: 'failed',
    error: { code: 'server_error' },
  })
  expect(gateway.log.length).toBeGreaterThan(0)
})

test.each([
  ['previous_response_id', { previous_response_id: 'resp_1', input: 'and?' }],
  ['conversation', { conversation: 'conv_1', input: 'and?' }],
  ['item_reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['nested', { input: [{ type: 'x', y: 'NESTED' }] }],
  [
    'nested',
    {
      input: [
        {
          type: 'function_call',
          call_id: 'c',
          name: 'f',
          arguments: NESTED,
        },
      ],
    },
  ],
])('%s goes through as it came, with a warning', async (word, fields) => {
  const { upstream, gateway } = await start({ text: 'Hi.' })
  const body = JSON.stringify({ model: 'gpt-5', ...fields }).replace('"NESTED"', NESTED)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${gateway.baseUrl}/responses`, { method: 'POST', headers, body })
  expect(response.status).not.toBe(500)
  expect(response.headers.get('x-palimpsest-warning')).toContain(word === 'item_reference' ? 'kept by' : word)
  expect(upstream.requests[0]?.text).toBe(body)
})

test('threads of one session and other instructions are conversations of their own', async () => {
  const { gateway, openai } = await start()
  const ask = (thread: string, instructions: string) =>
    openai.responses.create({ ...ASKED, instructions, input: 'hello' }, { headers: { 'thread-id': thread } })
  await ask('one', 'Be brief.')
  await ask('two', 'Be brief.')
  await ask('one', 'Write a title.')
  await ask('one', 'Be brief.')
  expect(gateway.inspector.list()).toHaveLength(3)
})

test('Codex asks for its compaction in a conversation of its own, without tools of the engine', async () => {
  const { upstream, gateway, openai } = await start(
    { text: 'Hello.' },
    { text: 'A summary.' },
    { text: 'Yes.' },
  )
  const names: (string | null)[] = []
  const send = async (kind: string, input: ResponseInputItem[]) => {
    const headers = { 'thread-id': 't-1', 'x-codex-turn-metadata': JSON.stringify({ request_kind: kind }) }
    const { response } = await openai.responses.create({ ...ASKED, input }, { headers }).withResponse()
    names.push(response.headers.get('x-palimpsest-session'))
  }
  const said: ResponseInputItem[] = [{ role: 'user', content: 'hello' }]
  const trigger = { type: 'compaction_trigger' } as object as ResponseInputItem
  await send('turn', said)
  await send('compaction', [...said, { role: 'assistant', content: 'Hello.' }, trigger])
  await send('turn', [...said, { role: 'user', content: 'A summary. And now?' }])
  expect(names[2]).toBe(names[0])
  expect(names[1]).not.toBe(names[0])
  expect(gateway.inspector.list()).toHaveLength(2)
  expect(inputs(upstream)[1]?.at(-1)).toEqual(trigger)
  const tools = upstream.requests.map(({ text }) => text.includes('lcm_grep'))
  expect(tools).toEqual([true, false, true])
})
