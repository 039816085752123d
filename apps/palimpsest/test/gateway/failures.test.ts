import type { ChatCompletionChunk } from 'openai/resources'
import { expect, test, vi } from 'vitest'
import { startMockUpstream } from './mock-upstream.ts'
import type { UpstreamBody } from './sequence-fault.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

const HELLO = { model: 'mock-large', messages: [{ role: 'user' as const, content: 'hello' }] }
const answer = () => ({ content: 'some words, and some more words' })

/** Reads a stream to its end or error. */
async function read({ client }: TestGateway): Promise<{ text: string; error?: unknown; ended: boolean }> {
  let text = ''
  let last: ChatCompletionChunk | undefined
  try {
    for await (const chunk of await client().chat.completions.create({ ...HELLO, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? ''
      last = chunk
    }
  } catch (error) {
    return { text, error, ended: false }
  }
  return { text, ended: last?.choices[0]?.finish_reason === 'stop' }
}

test.each([
  ['breaks the connection', { type: 'disconnect' }, 'upstream_disconnected'],
  ['just ends', { type: 'end' }, 'upstream_disconnected'],
  ['falls silent', { type: 'stall', at: 'middle' }, 'upstream_stalled'],
  ['says that it failed', { type: 'error-event' }, 'boom'],
] as const)('an upstream that %s in the middle is an error in the stream', async (_, fault, code) => {
  const upstream = await startMockUpstream({ answer })
  const gateway = await startTestGateway({ ...upstream, limits: { idle: 300 } })
  upstream.failNext(fault)
  const { text, error, ended } = await read(gateway)
  expect({ text, ended, code: (error as { code?: string }).code }).toEqual({
    text: answer().content,
    ended: false,
    code,
  })
  // The conversation is not held up by it.
  expect(await read(gateway)).toEqual({ text: answer().content, ended: true })
  expect(gateway.gateway.loaded).toBe(1)
})

test('an upstream that says nothing at all is a time-out', async () => {
  const upstream = await startMockUpstream({ answer })
  const { client } = await startTestGateway({ ...upstream, limits: { idle: 300 } })
  upstream.failNext({ type: 'stall', at: 'start' })
  await expect(client().chat.completions.create(HELLO)).rejects.toMatchObject({
    status: 504,
    code: 'upstream_stalled',
  })
})

test('a client that goes away takes its request along, and comes back to the same conversation', async () => {
  const upstream = await startMockUpstream({ answer })
  const gateway = await startTestGateway(upstream)
  upstream.failNext({ type: 'stall', at: 'middle' })
  const stream = await gateway.client().chat.completions.create({ ...HELLO, stream: true })
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break
  await vi.waitFor(() => expect(upstream.aborted).toBe(1), 30_000)
  upstream.failNext({ type: 'stall', at: 'start' })
  const controller = new AbortController()
  const waiting = gateway.client().chat.completions.create(HELLO, { signal: controller.signal })
  await vi.waitFor(() => expect(upstream.requests).toHaveLength(2), 30_000)
  controller.abort()
  await expect(waiting).rejects.toThrow()
  await vi.waitFor(() => expect(upstream.aborted).toBe(2), 30_000)
  expect(await read(gateway)).toMatchObject({ ended: true })
  expect(gateway.gateway.loaded).toBe(1)
  expect(gateway.log).toEqual([])
})

test('a shutdown ends what it cannot wait for, and says so', async () => {
  const upstream = await startMockUpstream({ answer })
  const gateway = await startTestGateway(upstream)
  upstream.failNext({ type: 'stall', at: 'middle' })
  const reading = read(gateway)
  await vi.waitFor(() => expect(upstream.requests).toHaveLength(1), 30_000)
  await gateway.gateway.close(50)
  expect(await reading).toMatchObject({ ended: false, error: { code: 'shutting_down' } })
  await expect(gateway.client().chat.completions.create(HELLO)).rejects.toMatchObject({ status: 503 })
  expect(gateway.gateway.loaded).toBe(0)
})

test.each(['open', 'prepare', 'observe'] as const)(
  'an engine that fails at %s does not take the client down',
  async (at) => {
    const upstream = await startMockUpstream({ answer })
    const fail = () => Promise.reject(new Error('the store is gone'))
    const gateway = await startTestGateway({
      ...upstream,
      wrapEngine: (engine) => ({
        ...engine,
        async open(...args) {
          if (at === 'open') return fail()
          const session = await engine.open(...args)
          return { ...session, [at]: fail }
        },
      }),
    })
    expect(await read(gateway)).toEqual({ text: answer().content, ended: true })
    const { data, response } = await gateway.client().chat.completions.create(HELLO).withResponse()
    expect(data.choices[0]?.message.content).toBe(answer().content)
    expect(response.headers.has('x-palimpsest-warning')).toBe(at !== 'observe')
    expect(upstream.requests[1]?.body.messages).toEqual(HELLO.messages)
    expect(gateway.log.join()).toContain('the store is gone')
  },
)

test.each([false, true])(
  'a prompt that is too long is shortened and sent again (stream: %s)',
  async (stream) => {
    const upstream = await startMockUpstream({ answer, window: 4_000 })
    const { client, log } = await startTestGateway({ ...upstream, window: 100_000 })
    const turns = Array.from({ length: 60 }, (_, turn) => [
      { role: 'user' as const, content: `question ${turn}: ${'words of some length '.repeat(12)}` },
      { role: 'assistant' as const, content: `answer ${turn}: ${'words of some length '.repeat(12)}` },
    ])
    const messages = [...turns.flat(), ...HELLO.messages]
    const request = { model: 'mock-large', messages }
    const asked = stream
      ? client().chat.completions.stream(request).finalChatCompletion()
      : client().chat.completions.create(request)
    expect((await asked).choices[0]?.message.content).toBe(answer().content)
    expect(upstream.overflows).toBe(1)
    expect(log).toEqual([])
  },
)

test('a last message that nothing can shorten is refused as the upstream refused it', async () => {
  const upstream = await startMockUpstream({ answer, window: 4_000 })
  const { client } = await startTestGateway({ ...upstream, window: 100_000 })
  const messages = [{ role: 'user' as const, content: 'word '.repeat(6_000) }]
  const asked = client().chat.completions.create({ model: 'mock-large', messages })
  await expect(asked).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' })
})

test('the tokens that a client wants for the answer are kept free', async () => {
  const long = (body: UpstreamBody) => ({
    content: `${body.messages.length} messages. ${'more words '.repeat(60)}`,
  })
  const upstream = await startMockUpstream({ answer: long, window: 12_000 })
  const { client } = await startTestGateway({ ...upstream, window: 12_000 })
  const messages: { role: 'user' | 'assistant'; content: string }[] = []
  for (let turn = 0; turn < 30; turn++) {
    messages.push({ role: 'user', content: `turn ${turn} ${'and words '.repeat(60)}` })
    const { choices } = await client().chat.completions.create({
      model: 'mock-large',
      messages,
      max_tokens: 5_000,
    })
    messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
  }
  expect(upstream.overflows).toBe(0)
})
