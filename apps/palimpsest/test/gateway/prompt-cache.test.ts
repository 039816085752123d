import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startMockUpstream, type UpstreamRequest } from './mock-upstream.ts'
import { startTestGateway, type TestGatewayOptions } from './test-gateway.ts'

type ChatMessage = OpenAI.Chat.ChatCompletionMessageParam

const MODEL = 'anthropic/claude-sonnet-5-5'
const TURNS = 10
const MARK = { cache_control: { type: 'ephemeral' } } as object
const SYSTEM: ChatMessage = { role: 'system', content: `Be brief. ${'rule '.repeat(2_000)}` }
const tools: OpenAI.Chat.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'ls', parameters: { type: 'object', properties: {} } } },
]

/** Calls three tools at once at every question, then answers. */
const upstreamOf = () =>
  startMockUpstream({
    models: [MODEL, 'gpt-6.2-sol'],
    answer: ({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? { calls: ['a', 'b', 'c'].map((path) => ({ name: 'ls', arguments: { path } })) }
        : { content: 'There are three.' },
  })

/** An agent behind the real client, for ten turns. */
async function talk(options: Omit<TestGatewayOptions, 'baseUrl'>, own?: object, model = MODEL) {
  const upstream = await upstreamOf()
  const { client, log } = await startTestGateway({
    ...options,
    baseUrl: upstream.baseUrl,
    engine: 'compressor',
  })
  const openai = client()
  const messages: ChatMessage[] = [SYSTEM]
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: 'user', content: `What is there? ${turn} ${'word '.repeat(300)}` })
    for (let isCalling = true; isCalling; ) {
      const sent = own === undefined ? messages : [...messages.slice(0, -1), { ...messages.at(-1), ...own }]
      const stream = turn % 2 === 0
      const message = stream
        ? await openai.chat.completions
            .stream({ model, messages: sent as ChatMessage[], tools })
            .finalMessage()
        : (await openai.chat.completions.create({ model, messages: sent as ChatMessage[], tools })).choices[0]
            ?.message
      messages.push(message as ChatMessage)
      for (const { id } of message?.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: `${id}: ${'file '.repeat(100)}` })
      isCalling = (message?.tool_calls?.length ?? 0) > 0
    }
  }
  expect(log).toEqual([])
  return { upstream, messages }
}

/** Where the markers of a request stand: index of the message, and the part or the message itself. */
function marksOf({ body }: UpstreamRequest): { index: number; block: number; on: string }[] {
  return body.messages.flatMap((message, index) => {
    const parts: readonly object[] = Array.isArray(message.content) ? message.content : []
    const onParts = parts.flatMap((part, block) =>
      'cache_control' in part ? [{ index, block, on: 'part' }] : [],
    )
    return 'cache_control' in message ? [{ index, block: 0, on: 'message' }, ...onParts] : onParts
  })
}

test('breakpoints are added for a model that takes them, at most four, in the system prompt and at the end', async () => {
  const { upstream, messages } = await talk({ promptCaching: { route: 'openrouter' } })
  expect(upstream.requests).toHaveLength(2 * TURNS)
  for (const request of upstream.requests) {
    const marks = marksOf(request)
    expect(marks.length).toBeLessThanOrEqual(4)
    expect(marks.map(({ on }) => on)).not.toContain('message')
    expect(marks[0]?.index).toBe(0)
    expect(marks.at(-1)?.index).toBe(request.body.messages.length - 1)
  }
  expect(JSON.stringify(messages)).not.toContain('cache_control')
})

test('a client that sets breakpoints keeps its own, and gets none beside them', async () => {
  const { upstream } = await talk({ promptCaching: { route: 'openrouter' } }, MARK)
  for (const request of upstream.requests)
    expect(marksOf(request)).toEqual([{ index: request.body.messages.length - 1, block: 0, on: 'message' }])
})

test.each([
  ['nobody knows the address', {}, MODEL],
  ['it is switched off', { route: 'openrouter', cache_ttl: 'off' }, MODEL],
  ['the model is cached by its provider', { route: 'openrouter' }, 'gpt-6.2-sol'],
] as const)('nothing is added where %s', async (_why, promptCaching, model) => {
  const { upstream } = await talk({ promptCaching }, undefined, model)
  expect(upstream.requests.flatMap(marksOf)).toEqual([])
})

test('a conversation that goes on with another model is marked for that model', async () => {
  const upstream = await upstreamOf()
  const { client } = await startTestGateway({ ...upstream, promptCaching: { route: 'openrouter' } })
  const messages: ChatMessage[] = [SYSTEM, { role: 'user', content: 'Hello?' }]
  const marks: number[] = []
  for (const model of [MODEL, 'gpt-6.2-sol', MODEL]) {
    await client().chat.completions.create(
      { model, messages },
      { headers: { 'x-palimpsest-session': 'one' } },
    )
    marks.push(marksOf(upstream.requests.at(-1) as UpstreamRequest).length)
    messages.push(
      { role: 'assistant', content: 'Hm.' },
      { role: 'user', content: `Well? ${messages.length}` },
    )
  }
  expect(marks.map((count) => count > 0)).toEqual([true, false, true])
})

test('a client that marks only its first messages has breakpoints when a summary stands for them', async () => {
  const upstream = await upstreamOf()
  const { client } = await startTestGateway({
    baseUrl: upstream.baseUrl,
    window: 8_000,
    engine: 'lcm',
    promptCaching: { route: 'openrouter' },
  })
  const openai = client()
  const messages: ChatMessage[] = []
  for (let turn = 0; turn < 20; turn++) {
    messages.push({ role: 'user', content: `${turn} ${'word '.repeat(500)}` })
    const marked = messages.map((message, index) => (index < 4 ? { ...message, ...MARK } : message))
    const { choices } = await openai.chat.completions.create({ model: MODEL, messages: marked })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? 'There are three.' })
  }
  const last = upstream.requests.at(-1) as UpstreamRequest
  expect(last.body.messages.length).toBeLessThan(messages.length)
  expect(upstream.requests.every((request) => marksOf(request).length > 0)).toBe(true)
  expect(marksOf(last).at(-1)?.index).toBe(last.body.messages.length - 1)
})
