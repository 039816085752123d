import { expect, test } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { agentBench, say } from './agent-bench.ts'

const CLAUDE_THERE = 'anthropic/claude-sonnet-5-5'
const LONG = 'word '.repeat(3_000)
/** The requests of the real client in a turn with one call of a tool, and the words of the chat about its cache. */
async function turnWith(promptCaching: string) {
  const server = await startMockUpstream({
    models: [CLAUDE_THERE],
    answer: ({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? { calls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }
        : { content: 'It says hello.' },
  })
  const bench = await agentBench({ 'a.txt': 'hello', 'config.yaml': `prompt_caching: {${promptCaching}}\n` })
  const flags = { baseUrl: server.baseUrl, model: CLAUDE_THERE }
  const { model, ...found } = await findChatModels(flags, {}, {})
  const agent = await bench.open(model, found)
  await say(agent, `What does a.txt say? ${LONG}`)
  const placed = server.requests.map(({ body }) => body.messages.flatMap(placeOf))
  return { placed, line: agent.facts.caching, history: agent.history }
}

/** Where a message has markers: its role, `message` for one on itself, and the lifetimes. */
function placeOf(message: { readonly role: string; readonly content?: unknown }): string[] {
  const on = (holder: object, place: string) =>
    'cache_control' in holder
      ? [`${message.role} ${place} ${(holder.cache_control as { ttl?: string }).ttl ?? '5m'}`]
      : []
  const parts = Array.isArray(message.content) ? message.content : []
  return [...on(message, 'message'), ...parts.flatMap((part: object) => on(part, 'part'))]
}

test.each([
  ['5m', '5m'],
  ['1h', '1h'],
] as const)('cache_ttl %s lives %s, with both strategies, on the wire', async (setting, ttl) => {
  const sticky = await turnWith(`route: openrouter, cache_ttl: ${setting}`)
  expect(sticky.placed).toEqual([
    [`system part ${ttl}`, `user part ${ttl}`],
    [`system part ${ttl}`, `user part ${ttl}`, `tool part ${ttl}`],
  ])
  const hermes = await turnWith(`route: openrouter, strategy: system_and_3, cache_ttl: ${setting}`)
  expect(hermes.placed).toEqual([
    [`system part ${ttl}`, `user part ${ttl}`],
    [`system part ${ttl}`, `user part ${ttl}`, `tool part ${ttl}`],
  ])
  expect(hermes.line).toMatch(/^Prompt caching: on for .* at OpenRouter, .*, system_and_3$/)
  expect(JSON.stringify([sticky.history, hermes.history])).not.toContain('cache_control')
})

test('a summary is asked for behind the prompt that the provider has, with its tools and its markers', async () => {
  const isAsked = (text: string) => text.includes('write the record of the conversation above')
  const server = await startMockUpstream({
    models: [CLAUDE_THERE],
    answer: ({ messages }) => ({
      content: isAsked(JSON.stringify(messages.at(-1))) ? '## Record\n- The lamp is of copper.' : 'Noted.',
    }),
  })
  const bench = await agentBench({ 'config.yaml': 'prompt_caching: {route: openrouter}\n' })
  const flags = { baseUrl: server.baseUrl, model: CLAUDE_THERE, window: 16_000 }
  const { model, ...found } = await findChatModels(flags, {}, {})
  const agent = await bench.open(model, { ...found, window: 16_000 })
  const isCompacted = () =>
    server.requests.some(({ body }) => JSON.stringify(body.messages).includes('## Record\\n- The lamp'))
  for (let turn = 0; turn < 30 && !isCompacted(); turn++)
    await say(agent, `${turn} The lamp is of copper. ${'word '.repeat(1_000)}`)
  const bodies = server.requests.map(({ body }) => body)
  const place = bodies.findIndex(({ messages }) => isAsked(JSON.stringify(messages.at(-1))))
  const asked = bodies[place]
  // The summary is asked for while the next answer is under way: this is the prompt before.
  const before = bodies
    .slice(0, place)
    .findLast(({ messages }) => messages.length === (asked?.messages.length ?? 0) - 2)
  expect(asked?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  expect(asked?.messages.slice(before?.messages.length, -1)).toEqual([
    { role: 'assistant', content: 'Noted.' },
  ])
  expect(asked?.tools).toEqual(before?.tools)
  expect(isCompacted()).toBe(true)
})
