import { expect, test } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { type Reply, startMockUpstream } from '../gateway/mock-upstream.ts'
import { agentBench, say } from './agent-bench.ts'

const READ: Reply = { calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }
const SAID: Reply = { content: 'It says hello.' }

/** A chat with a model behind a server, found as the command line finds it. */
async function chatWith(...replies: Reply[]) {
  const answer = () => replies.shift() ?? { content: 'no more answers' }
  const server = await startMockUpstream({ answer, models: ['test-model'], piece: 8 })
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
  expect(server.requests[1]?.body.messages.slice(1)).toMatchObject([
    { role: 'user' },
    { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: expect.stringContaining('1\thello') },
  ])
  const [first = 0, second = 0] = server.requests.map(({ promptTokens }) => promptTokens)
  expect(agent.status().costs).toMatchObject({ requests: 2, promptTokens: first + second, usd: null })
  expect(agent.status().promptTokens).toBe(second)
})

test('a wrong key is said with the variable that it is in, and without the key', async () => {
  const { baseUrl } = await startMockUpstream({ answer: () => SAID, models: ['test-model'], apiKey: 'right' })
  const bench = await agentBench()
  const refusal = async (environment: NodeJS.ProcessEnv) => {
    const { model } = await findChatModels({ baseUrl, model: 'test-model' }, {}, environment)
    return say(await bench.open(model), 'Well?').catch((error: unknown) => String(error))
  }
  expect(await refusal({})).toMatch(/OPENAI_API_KEY is not set/)
  expect(await refusal({ OPENAI_API_KEY: 'wrong-key' })).toMatch(/the key in OPENAI_API_KEY(?!.*wrong-key)/)
})
