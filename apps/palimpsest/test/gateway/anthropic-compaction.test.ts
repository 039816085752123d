import type Anthropic from '@anthropic-ai/sdk'
import type { SessionView } from '@palimpsest/inspector'
import { findPricing } from '@palimpsest/prompt-caching'
import { expect, test } from 'vitest'
import { startTestService } from '../serve/test-service.ts'
import { type AnthropicBody, blocksOf, textOf } from './anthropic-fault.ts'
import { filler } from './forgetful-model.ts'
import { COMPACTION_TOKENS, type MockAnthropic, startMockAnthropic } from './mock-anthropic.ts'
import { MODEL, SYSTEM, startAnthropic } from './start-anthropic.ts'

const WINDOW = 30_000
const ON_DEMAND = 'compact-2026-09-04' as const
const THRESHOLD = 'compact-2026-01-12' as const

type Messages = Anthropic.Beta.BetaMessageParam[]
type Body = Omit<Anthropic.Beta.MessageCreateParamsNonStreaming, 'model' | 'max_tokens'>

const talks = ({ messages }: AnthropicBody) => ({ thinking: 'Hm.', text: `Heard ${messages.length}.` })
const question = (turn: number) => ({ role: 'user' as const, content: `${turn}: ${filler(`q${turn}`, 500)}` })

function ask(client: Anthropic, body: Body, isStream: boolean, headers = {}) {
  const request = { model: MODEL, max_tokens: 500, system: SYSTEM, ...body }
  return isStream
    ? client.beta.messages.stream(request, { headers }).finalMessage()
    : client.beta.messages.create(request, { headers })
}

const sent = (upstream: MockAnthropic) => upstream.requests.at(-1)?.body as AnthropicBody
/** What was said, without thinking and breakpoints. */
const said = ({ messages }: { readonly messages: readonly { role: string; content?: unknown }[] }) =>
  messages.map(({ role, content }) => [
    role,
    blocksOf(content).flatMap(({ cache_control: _, ...block }) => (block.type === 'thinking' ? [] : [block])),
  ])

test.each([
  ['whole', false],
  ['streamed', true],
] as const)(
  'a compaction on demand sees the whole list, and its block stays in front, %s',
  async (_, isStream) => {
    const headers = { 'x-palimpsest-session': 'on-demand' }
    const { upstream, client } = await startAnthropic(talks, { window: WINDOW, upstreamWindow: WINDOW })
    let messages: Messages = []
    const turn = async (number: number) => {
      messages.push(question(number))
      const { content } = await ask(client, { messages, betas: [ON_DEMAND] }, isStream, headers)
      messages.push({ role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] })
    }
    for (let number = 0; number < 24; number++) await turn(number)
    expect(sent(upstream).messages.length).toBeLessThan(messages.length / 2)

    messages.push({ role: 'user', content: 'Compact now.' })
    const compact = { messages, betas: [ON_DEMAND], compaction: { type: 'summarize' as const } }
    const { content, stop_reason } = await ask(client, compact, isStream, headers)
    expect(said(sent(upstream))).toEqual(said({ messages }))
    expect(sent(upstream).compaction).toEqual({ type: 'summarize' })
    expect(stop_reason).toBe('compaction')
    expect(content).toMatchObject([{ type: 'compaction', encrypted_content: null, tool_changes: [] }])

    messages = [{ role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] }]
    for (let number = 24; number < 60; number++) {
      await turn(number)
      expect(blocksOf(sent(upstream).messages[0]?.content)[0]).toEqual(content[0])
    }
    expect(sent(upstream).messages.length).toBeLessThan(messages.length / 2)
    expect(upstream.faults).toEqual([])
  },
)

test.each([
  ['whole', false],
  ['streamed', true],
] as const)(
  'a compaction above a threshold is the provider’s, with both parts of its block, %s',
  async (_, isStream) => {
    const { upstream, client } = await startAnthropic(talks, { window: 8_000 })
    const messages: Messages = []
    const edit = {
      type: 'compact_20260112' as const,
      trigger: { type: 'input_tokens' as const, value: 10_000 },
    }
    const body = { messages, betas: [THRESHOLD], context_management: { edits: [edit] } }
    for (let turn = 0; turn < 24; turn++) {
      messages.push(question(turn))
      const { content } = await ask(client, body, isStream)
      expect(said(sent(upstream))).toEqual(said({ messages }))
      messages.push({ role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] })
    }
    const blocks = messages.flatMap(({ content }) => blocksOf(content))
    expect(
      blocks.filter(({ type, encrypted_content: sealed }) => type === 'compaction' && sealed),
    ).not.toEqual([])
    expect(upstream.faults).toEqual([])
  },
)

test('Claude Code’s request for a summary has the whole conversation, and a shorter one where that is too long', async () => {
  const { upstream, client } = await startAnthropic(talks, { window: WINDOW, upstreamWindow: WINDOW })
  const headers = { 'x-claude-code-session-id': 'session' }
  const messages: Messages = []
  const summary = { role: 'user' as const, content: 'CRITICAL: Respond with TEXT ONLY. Write a <summary>.' }
  const grow = async (from: number, to: number) => {
    for (let turn = from; turn < to; turn++) {
      messages.push(question(turn))
      const { content } = await ask(client, { messages }, false, headers)
      messages.push({ role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] })
    }
  }
  const list = () => ({ messages: [...messages, summary] })
  await grow(0, 24)
  await ask(client, list(), true, headers)
  expect(said(sent(upstream))).toEqual(said(list()))

  await grow(24, 40)
  await ask(client, list(), true, headers)
  expect(upstream.overflows).toBe(0)
  expect(sent(upstream).messages.length).toBeLessThan(messages.length)
  expect(textOf(sent(upstream).messages.at(-1)?.content)).toContain('CRITICAL')
  expect(upstream.faults).toEqual([])
})

test.each([
  ['whole', false],
  ['streamed', true],
] as const)(
  'the bill and the metrics have what a compaction of the provider cost, %s',
  async (_, isStream) => {
    const upstream = await startMockAnthropic({ answer: talks })
    const service = await startTestService({ engine: 'lcm', upstream: upstream.baseUrl, models: {} })
    const { default: Client } = await import('@anthropic-ai/sdk')
    const client = new Client({ baseURL: service.url, apiKey: 'key' })
    const messages = [question(0)]
    await ask(client, { messages, betas: [ON_DEMAND], compaction: { type: 'summarize' } }, isStream)
    const { sessions } = (await (await fetch(`${service.url}/api/sessions`)).json()) as {
      sessions: { id: string }[]
    }
    const page = await fetch(`${service.url}/api/sessions/${sessions[0]?.id}`)
    const { view } = (await page.json()) as { view: SessionView }
    const { input, output } = findPricing({ model: MODEL })
    const prompt = upstream.requests[0]?.promptTokens ?? 0
    expect(view.bill?.reported?.prompts).toBeCloseTo((prompt * input) / 1_000_000, 9)
    expect(view.bill?.reported?.answers).toBeCloseTo((COMPACTION_TOKENS * output) / 1_000_000, 9)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain(`palimpsest_model_tokens_total{source="gateway",kind="prompt"} ${prompt}`)
    expect(metrics).toContain(`kind="completion"} ${COMPACTION_TOKENS}`)
  },
)

test('a client that may say what becomes of thinking behind another prompt has it dropped, unless it says so itself', async () => {
  const { upstream, client } = await startAnthropic(talks)
  const betas: Anthropic.Beta.AnthropicBeta[] = ['thinking-binding-controls-2026-08-01']
  const messages = [question(0)]
  const adaptive = { type: 'adaptive' as const }
  const refuses = { ...adaptive, block_binding: { prefix_mismatch_behavior: 'error' as const } }
  const asked = async (body: Partial<Body>) => {
    await ask(client, { messages, thinking: adaptive, ...body }, false)
    return sent(upstream).thinking
  }
  expect(await asked({ betas })).toEqual({
    type: 'adaptive',
    block_binding: { prefix_mismatch_behavior: 'drop_block' },
  })
  expect(await asked({ betas, thinking: refuses })).toEqual(refuses)
  expect(await asked({})).toEqual(adaptive)
})

test('a tool that a search found is loaded from the beginning once a summary stands for the search', async () => {
  const { upstream, client } = await startAnthropic(talks, { window: 12_000 })
  const deferred = (name: string) => ({
    name,
    description: 'd',
    defer_loading: true,
    input_schema: { type: 'object' as const, properties: {} },
  })
  const tools: Anthropic.Beta.BetaToolUnion[] = [
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    ...['found_by_server', 'found_by_client', 'never_found'].map(deferred),
  ]
  const reference = (tool_name: string) => ({ type: 'tool_reference' as const, tool_name })
  const messages: Messages = [
    question(0),
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_regex', input: {} },
        {
          type: 'tool_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: {
            type: 'tool_search_tool_search_result',
            tool_references: [reference('found_by_server')],
          },
        },
        { type: 'tool_use', id: 'toolu_1', name: 'ToolSearch', input: {} },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [reference('found_by_client')] }],
    },
    { role: 'assistant', content: 'Found.' },
  ]
  const deferredNow = () =>
    sent(upstream).tools?.flatMap(({ name, defer_loading: isDeferred }) => (isDeferred ? [name] : []))
  for (let turn = 1; turn < 24; turn++) {
    messages.push(question(turn))
    const { content } = await ask(client, { messages, tools }, false)
    if (turn === 1) expect(deferredNow()).toEqual(['found_by_server', 'found_by_client', 'never_found'])
    messages.push({ role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] })
  }
  expect(JSON.stringify(sent(upstream).messages)).not.toContain('tool_reference')
  expect(deferredNow()).toEqual(['never_found'])
})
