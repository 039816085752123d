import { expect, test } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { openModel } from '../../src/models/open-model.ts'
import type { AnthropicBody } from '../gateway/anthropic-fault.ts'
import { type AnthropicReply, startMockAnthropic } from '../gateway/mock-anthropic.ts'
import { agentBench, say, told } from './agent-bench.ts'

const MODEL = 'claude-sonnet-5-5'
const LONG = 'word '.repeat(3_000)
const ENVIRONMENT = { ANTHROPIC_API_KEY: 'key-of-anthropic' }

/** Where the markers of a body stand, and their lifetimes. */
function markersOf({ system, tools = [], messages }: AnthropicBody): string[] {
  const on = (place: string, holders: unknown) =>
    (Array.isArray(holders) ? holders : []).flatMap(({ cache_control: marker }) =>
      marker === undefined ? [] : [`${place} ${marker.ttl ?? '5m'}`],
    )
  return [
    ...on('tool', tools),
    ...on('system', system),
    ...messages.flatMap(({ role, content }, at) => on(`${at} ${role}`, content)),
  ]
}

async function chatWith(
  answer: (body: AnthropicBody) => AnthropicReply,
  { config = '', cached = () => ({ read: 0, write5m: 0 }) }: Partial<ChatSetup> = {},
) {
  const server = await startMockAnthropic({ answer, cached })
  const bench = await agentBench({ 'a.txt': 'hello', 'config.yaml': config })
  const flags = { baseUrl: server.baseUrl, model: `anthropic:${MODEL}` }
  const { model, ...found } = await findChatModels(flags, {}, ENVIRONMENT)
  return { server, agent: await bench.open(model, found) }
}

interface ChatSetup {
  readonly config: string
  readonly cached: NonNullable<Parameters<typeof startMockAnthropic>[0]['cached']>
}

/** Reads the file, then answers. */
const reading = (question: string) => (body: AnthropicBody) =>
  JSON.stringify(body.messages.at(-1)).includes(question)
    ? { text: 'Let me see.', calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }
    : { text: 'It says hello.' }

test.each([
  ['', '5m'],
  ['prompt_caching: {cache_ttl: 1h}\n', '1h'],
] as const)('breakpoints reach the Messages API, at most four, with %j', async (config, ttl) => {
  const cached = (request: number) =>
    request === 0 ? { read: 0, write5m: 3_000 } : { read: 3_000, write5m: 100 }
  const { server, agent } = await chatWith(reading('a.txt'), { config, cached })
  expect(agent.facts.caching).toMatch(/^Prompt caching: on for claude-sonnet-5-5/)
  for (let turn = 0; turn < 4; turn++) await say(agent, `What does a.txt say? ${LONG}`)
  expect(server.faults).toEqual([])
  const placed = server.requests.map(({ body }) => markersOf(body))
  expect(placed.slice(0, 2)).toEqual([
    [`system ${ttl}`, `0 user ${ttl}`],
    [`system ${ttl}`, `0 user ${ttl}`, `2 user ${ttl}`],
  ])
  expect(placed).toHaveLength(8)
  for (const markers of placed) expect([2, 3, 4]).toContain(markers.length)
  expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-anthropic')
  expect(JSON.stringify(agent.history)).not.toContain('cache_control')
  expect(told(agent)[3]).toBe('assistant: It says hello.')
})

test('thinking, an answer that is too long, and a call of which a part came', async () => {
  const access = { provider: 'anthropic', model: MODEL, apiKey: 'key-of-anthropic' } as const
  const server = await startMockAnthropic({
    answer: () => ({ thinking: 'Hm.', text: 'Yes.' }),
    window: 3_000,
  })
  const { chat, completion } = await openModel({ ...access, baseUrl: server.baseUrl })
  const messages = [{ role: 'user' as const, content: 'Well?' }]
  const { message, finishReason, usage } = await chat.chat({ messages })
  expect([message.content, finishReason, usage?.promptTokens]).toEqual(['Yes.', 'stop', expect.any(Number)])
  const next = [...messages, message, { role: 'user' as const, content: 'Sure?' }]
  await chat.chat({ messages: next })
  expect(server.thinkingSeen).toBe(1)
  expect(server.faults).toEqual([])
  expect((await completion.complete({ system: 'Be brief.', prompt: 'Well?' })).text).toBe('Yes.')
  const long = chat.chat({ messages: [{ role: 'user', content: LONG.repeat(2) }] })
  await expect(long).rejects.toMatchObject({ kind: 'context-overflow', contextLength: 3_000 })
  server.failNext({ type: 'status', status: 401, kind: 'authentication_error', message: 'invalid x-api-key' })
  await expect(chat.chat({ messages })).rejects.toThrow(/the key in ANTHROPIC_API_KEY was sent/)
  server.failNext({ type: 'error-event' })
  await expect(chat.chat({ messages })).rejects.toMatchObject({ kind: 'overloaded' })
  server.failNext({ type: 'disconnect' })
  await expect(chat.chat({ messages })).rejects.toMatchObject({ kind: 'network' })
  const stop = new AbortController()
  const stopped = chat.chat({ messages, signal: stop.signal, onText: () => stop.abort('enough') })
  await expect(stopped).rejects.toBe('enough')
})
