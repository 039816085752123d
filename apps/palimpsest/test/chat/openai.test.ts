import { ModelError } from '@palimpsest/core'
import { expect, test, vi } from 'vitest'
import type { ChatAgent } from '../../src/chat/chat-agent.ts'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { agentBench, say, told } from './agent-bench.ts'
import { type OpenAiServer, type StreamedAnswer, startOpenAiServer } from './openai-server.ts'

const READ: StreamedAnswer = {
  deltas: [
    {
      role: 'assistant',
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '' } },
      ],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"path":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '"a.txt"}' } }] },
  ],
}

const SAID: StreamedAnswer = { deltas: [{ role: 'assistant', content: 'It says ' }, { content: 'hello.' }] }

const NO_KEY: StreamedAnswer = { deltas: [], end: 'no-key' }

/** A chat with a model behind a server, found as the command line finds it. */
async function chatWith(...answers: StreamedAnswer[]): Promise<{ agent: ChatAgent; server: OpenAiServer }> {
  const server = await startOpenAiServer(...answers)
  const bench = await agentBench({ 'a.txt': 'hello' })
  const { model, ...found } = await findChatModels({ baseUrl: server.baseUrl, model: 'test-model' }, {}, {})
  return { agent: await bench.open(model, found), server }
}

test('the real SDK streams an answer with a tool call through the loop', async () => {
  const { agent, server } = await chatWith(READ, SAID)
  const { end, events } = await say(agent, 'What does a.txt say?')
  expect(end).toEqual({ reason: 'answered', text: 'It says hello.' })
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
    'It says ',
    'hello.',
  ])
  expect(server.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('1\thello') },
  ])
  expect(agent.status().costs).toMatchObject({
    requests: 2,
    promptTokens: 1_800,
    completionTokens: 40,
    usd: null,
  })
  expect(agent.status().promptTokens).toBe(900)
})

test('a stop in the middle of a stream closes the connection and keeps what was said', async () => {
  const { agent, server } = await chatWith({ ...SAID, end: 'hang' }, SAID)
  const stop = new AbortController()
  await say(agent, 'Well?', {
    stop,
    on: (event) => event.type === 'text' && event.text === 'hello.' && stop.abort(),
  })
  expect(told(agent)).toEqual(['user: Well?', 'assistant: It says hello.'])
  await vi.waitFor(() => expect(server.left()).toBe(1), 30_000)
  expect((await say(agent, 'And?')).end.text).toBe('It says hello.')
})

test('a connection that breaks in the middle is an error, what was said stays, and a retry answers anew', async () => {
  const whole = { deltas: [{ content: 'It says hello, of course.' }] }
  const { agent, server } = await chatWith({ ...SAID, end: 'cut' }, whole)
  await expect(say(agent, 'Well?')).rejects.toThrow(ModelError)
  expect(told(agent)).toEqual(['user: Well?', 'assistant: It says hello.'])
  expect(agent.hasQuestion()).toBe(true)
  await agent.retry({ signal: new AbortController().signal, on: () => {} })
  expect(told(agent)).toEqual(['user: Well?', 'assistant: It says hello, of course.'])
  expect(agent.hasQuestion()).toBe(false)
  expect(server.requests.map(({ messages }) => messages.length)).toEqual([2, 2])
})

test('a wrong key is said with the variable that it is in, and without the key', async () => {
  const { baseUrl } = await startOpenAiServer(NO_KEY, NO_KEY)
  const bench = await agentBench()
  const refusal = async (environment: NodeJS.ProcessEnv) => {
    const { model } = await findChatModels({ baseUrl, model: 'test-model' }, {}, environment)
    return say(await bench.open(model), 'Well?').catch((error: unknown) => String(error))
  }
  expect(await refusal({})).toMatch(/OPENAI_API_KEY is not set/)
  expect(await refusal({ OPENAI_API_KEY: 'wrong-key' })).toMatch(/the key in OPENAI_API_KEY(?!.*wrong-key)/)
})
