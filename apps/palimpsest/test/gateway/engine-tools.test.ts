import type { Message } from '@palimpsest/core'
import type OpenAI from 'openai'
import type { ChatCompletionMessage, ChatCompletionMessageParam } from 'openai/resources'
import { expect, test } from 'vitest'
import { type MockUpstream, type Reply, startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const READ_FILE = {
  type: 'function',
  function: { name: 'read_file', parameters: { type: 'object' } },
} as const
const GREP = { name: 'lcm_grep', arguments: { query: 'hello' } }
const READ = { name: 'read_file', arguments: { path: 'a.ts' } }

/** Answers with one reply after the other. */
function script(...replies: readonly Reply[]): () => Reply {
  let next = 0
  return () => replies[next++] ?? { content: 'nothing more' }
}

const modes = { 'in one piece': askWhole, 'as a stream': askStreamed }

test.each(Object.entries(modes))('an engine’s tool is answered inside, %s', async (_, ask) => {
  const upstream = await startMockUpstream({
    answer: script(
      { content: 'Let me look.', calls: [GREP] },
      { content: 'You said hello.' },
      { content: 'Yes.' },
    ),
  })
  const { client } = await startTestGateway(upstream)
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }]
  const { message, usage } = await ask(client(), messages)
  expect(message.content).toBe('Let me look.\n\nYou said hello.')
  expect(message.tool_calls ?? []).toEqual([])
  expect(usage?.prompt_tokens).toBe(upstream.requests[1]?.promptTokens)

  await ask(client(), [...messages, message, { role: 'user', content: 'sure?' }])
  const [, second, third] = bodies(upstream)
  // What the client never saw is there again, and the list only grew.
  expect(third?.slice(0, 3)).toEqual(second)
  expect(third?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  expect(third?.[3]?.content).toBe('You said hello.')
})

test.each(Object.entries(modes))(
  'of an answer with calls of both, the client sees its own, %s',
  async (_, ask) => {
    const upstream = await startMockUpstream({
      answer: script({ calls: [GREP, READ] }, { content: 'Read.' }),
    })
    const { client } = await startTestGateway(upstream)
    const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }]
    const { message, finish } = await ask(client(), messages)
    expect(finish).toBe('tool_calls')
    expect(message.tool_calls).toEqual([
      { id: 'call_2', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } },
    ])

    const result = { role: 'tool', tool_call_id: 'call_2', content: 'const a = 1' } as const
    expect((await ask(client(), [...messages, message, result])).message.content).toBe('Read.')
    const restored = bodies(upstream)[1]
    expect(restored?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(restored?.[1]).toMatchObject({ tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] })
  },
)

test('a stream of several rounds is one: one id, one role, one end, usage for who asked', async () => {
  const upstream = await startMockUpstream({
    answer: script({ content: 'Look.', calls: [GREP] }, { content: 'Found.' }, { content: 'Plain.' }),
  })
  const { client } = await startTestGateway(upstream)
  const chunks: OpenAI.ChatCompletionChunk[] = []
  const request = { model: 'mock-large', messages: [{ role: 'user', content: 'hello' } as const] }
  const options = { stream: true, stream_options: { include_usage: true } } as const
  for await (const chunk of await client().chat.completions.create({ ...request, ...options }))
    chunks.push(chunk)
  const choices = chunks.flatMap((chunk) => chunk.choices)
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
  expect(new Set(chunks.map(({ created }) => created)).size).toBe(1)
  expect(choices.filter(({ delta }) => delta.role !== undefined)).toHaveLength(1)
  expect(choices.flatMap(({ finish_reason }) => finish_reason ?? [])).toEqual(['stop'])
  expect(choices.some(({ delta }) => delta.tool_calls !== undefined)).toBe(false)
  const last = { prompt_tokens: upstream.requests.at(-1)?.promptTokens }
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: last })

  for await (const chunk of await client().chat.completions.create({ ...request, stream: true }))
    expect(chunk).not.toHaveProperty('usage')
})

test('a model that calls tools without end is stopped', async () => {
  const upstream = await startMockUpstream({ answer: () => ({ calls: [GREP] }) })
  const { client } = await startTestGateway({ ...upstream, limits: { rounds: 3 } })
  const asked = askWhole(client(), [{ role: 'user', content: 'hello' }])
  await expect(asked).rejects.toMatchObject({ status: 502, code: 'no_answer' })
  const offered = upstream.requests.map(({ body }) => body.tools?.length ?? 0)
  expect([offered.length, offered.at(-1)]).toEqual([3, 1])
  expect(offered[1]).toBeGreaterThan(1)
})

interface Wishes {
  readonly n?: number
  readonly tool_choice?: 'none'
  readonly tools?: (typeof READ_FILE)[]
}

test.each<[string, Wishes]>([
  ['several answers', { n: 2 }],
  ['no tools at all', { tool_choice: 'none', tools: [READ_FILE] }],
])('who wants %s is not offered the engine’s', async (_, fields) => {
  const upstream = await startMockUpstream({ answer: script() })
  const { client } = await startTestGateway(upstream)
  const request = { model: 'mock-large', messages: [{ role: 'user' as const, content: 'hello' }], ...fields }
  const { choices } = await client().chat.completions.create(request)
  expect(choices).toHaveLength(fields.n ?? 1)
  expect(upstream.requests[0]?.body.tools).toEqual(fields.tools)
})

test.each([{ tool_choice: 'none' as const, tools: [READ_FILE] }, { n: 2 }])(
  'no summary names a tool where none is offered: %j',
  async (asked) => {
    const upstream = await startMockUpstream({ answer: () => ({ content: 'Read.' }) })
    const { client } = await startTestGateway({ baseUrl: upstream.baseUrl, window: 8_000, engine: 'lcm' })
    const openai = client()
    const messages: ChatCompletionMessageParam[] = []
    for (let turn = 0; turn < 16; turn++) {
      messages.push({ role: 'user', content: `${turn} ${'word '.repeat(500)}` })
      const completion = await openai.chat.completions.create({ model: 'mock-large', messages, ...asked })
      messages.push(completion.choices[0]?.message as ChatCompletionMessage)
    }
    expect(bodies(upstream).at(-1)?.length).toBeLessThan(messages.length)
    expect(JSON.stringify(bodies(upstream))).not.toContain('lcm_')
  },
)

test('a model that takes no tools answers without the engine’s', async () => {
  const upstream = await startMockUpstream({ answer: script({ content: 'one' }, { content: 'two' }) })
  const { client } = await startTestGateway(upstream)
  upstream.failNext({ type: 'status', status: 400, body: '{"error":"mock-large does not support tools"}' })
  const messages = [{ role: 'user', content: 'hello' } as const]
  const request = { model: 'mock-large', messages }
  const { choices } = await client().chat.completions.create(request)
  expect(choices[0]?.message.content).toBe('one')
  await client().chat.completions.create(request)
  expect(upstream.requests.map(({ body }) => body.tools?.length)).toEqual([
    expect.any(Number),
    undefined,
    undefined,
  ])
})

interface Asked {
  readonly message: ChatCompletionMessage
  readonly usage: OpenAI.CompletionUsage | undefined
  readonly finish: string | undefined
}

async function askWhole(openai: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Asked> {
  const { choices, usage } = await openai.chat.completions.create({
    model: 'mock-large',
    messages,
    tools: [READ_FILE],
  })
  return asked(choices[0], usage)
}

async function askStreamed(openai: OpenAI, messages: ChatCompletionMessageParam[]): Promise<Asked> {
  const options = { stream_options: { include_usage: true } }
  const stream = openai.chat.completions.stream({
    model: 'mock-large',
    messages,
    tools: [READ_FILE],
    ...options,
  })
  const { choices, usage } = await stream.finalChatCompletion()
  return asked(choices[0], usage)
}

function asked(
  choice: OpenAI.ChatCompletion.Choice | undefined,
  usage: OpenAI.CompletionUsage | undefined,
): Asked {
  if (choice === undefined) throw new Error('there is no answer')
  const { role, content, refusal, tool_calls: calls } = choice.message
  const plain = calls?.map((call) => {
    if (call.type !== 'function') throw new Error('not a function')
    const { name, arguments: args } = call.function
    return { id: call.id, type: call.type, function: { name, arguments: args } }
  })
  const message = {
    role,
    content,
    refusal,
    ...(plain !== undefined && plain.length > 0 && { tool_calls: plain }),
  }
  return { message, usage, finish: choice.finish_reason }
}

function bodies({ requests }: MockUpstream): (readonly Message[])[] {
  return requests.map(({ body }) => body.messages)
}
