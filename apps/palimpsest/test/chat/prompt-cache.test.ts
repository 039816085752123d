import { createTokenCounter } from '@palimpsest/tokens'
import { expect, test } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { createPromptCache, type PromptCacheInput } from '../../src/prompt-cache.ts'
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

test('LiteLLM gets no marker on the result of a tool, and a switch takes all of them away', async () => {
  expect((await turnWith('route: litellm')).placed.flat()).not.toContain('tool part 5m')
  expect((await turnWith('route: litellm')).placed[1]).toContain('user part 5m')
  for (const strategy of ['sticky', 'system_and_3'])
    expect(
      (await turnWith(`route: openrouter, strategy: ${strategy}, cache_ttl: off`)).placed.flat(),
    ).toEqual([])
  const unknown = await turnWith('strategy: system_and_3')
  expect(unknown.placed.flat()).toEqual([])
  expect(unknown.line).toMatch(/^Prompt caching: off \(it is not known/)
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
  for (let turn = 0; turn < 9; turn++)
    await say(agent, `${turn} The lamp is of copper. ${'word '.repeat(1_000)}`)
  const bodies = server.requests.map(({ body }) => body)
  const place = bodies.findIndex(({ messages }) => isAsked(JSON.stringify(messages.at(-1))))
  const asked = bodies[place]
  // The summary is asked for while the next answer is under way: this is the prompt before.
  const before = bodies.findLast(({ messages }) => messages.length === (asked?.messages.length ?? 0) - 2)
  expect(asked?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  expect(asked?.messages.slice(before?.messages.length, -1)).toEqual([
    { role: 'assistant', content: 'Noted.' },
  ])
  expect(asked?.tools).toEqual(before?.tools)
  expect(JSON.stringify(bodies.at(-1)?.messages)).toContain('## Record')
})

const at = (model: string, baseUrl?: string) => ({ model, provider: 'openai', ...(baseUrl && { baseUrl }) })
const OPENROUTER = 'https://openrouter.ai/api/v1'
const LOCAL = 'http://127.0.0.1:4000/v1'
const CLAUDE = 'claude-sonnet-5-5'
type Settings = Partial<PromptCacheInput['settings']>

// docs/chat.md has a table of these.
test.each<[PromptCacheInput['caching'], Settings, string]>([
  [undefined, {}, 'nothing to cache, no model answers'],
  [at(CLAUDE, OPENROUTER), {}, `on for ${CLAUDE} at OpenRouter, 5 minutes`],
  [at(CLAUDE, OPENROUTER), { cache_ttl: '1h' }, `on for ${CLAUDE} at OpenRouter, 1 hour`],
  [
    at(CLAUDE, LOCAL),
    { route: 'litellm', strategy: 'system_and_3' },
    `on for ${CLAUDE} at LiteLLM, 5 minutes, system_and_3`,
  ],
  [
    { model: 'gemini-3-flash-preview', provider: 'gemini' },
    { strategy: 'system_and_3' },
    'automatic for gemini-3-flash-preview at Gemini; nothing to mark',
  ],
  [
    at('deepseek-chat', 'https://api.deepseek.com'),
    { cache_ttl: 'off' },
    'automatic for deepseek-chat at DeepSeek; prompt_caching.cache_ttl: off cannot switch that off',
  ],
  [at('gpt-6.2-sol'), {}, 'automatic for gpt-6.2-sol at OpenAI; nothing to mark'],
  [
    at(CLAUDE, 'https://api.anthropic.com/v1'),
    { strategy: 'system_and_3' },
    'off (Anthropic takes breakpoints in an API of its own only: name the model as anthropic:<name>)',
  ],
  [{ model: CLAUDE, provider: 'anthropic' }, {}, `on for ${CLAUDE} at Anthropic, 5 minutes`],
  [at(CLAUDE, OPENROUTER), { cache_ttl: 'off' }, 'off (switched off by prompt_caching.cache_ttl)'],
  [
    at(CLAUDE, LOCAL),
    {},
    'off (it is not known whether this endpoint passes markers on to Claude; prompt_caching.route can tell)',
  ],
  [at('qwen3:8b', LOCAL), {}, 'off (it is not known whether this model is cached there)'],
])('the status line of %o with %o', (caching, settings, line) => {
  const defaults = {
    cache_ttl: '5m',
    strategy: 'sticky',
    keep_alive_usd: 0,
  } as const
  const cache = createPromptCache({
    caching,
    settings: { ...defaults, ...settings },
    tokens: createTokenCounter(),
    clock: { now: () => 0 },
  })
  expect(cache.line).toBe(`Prompt caching: ${line}`)
})
