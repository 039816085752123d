import type Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { type AnthropicBody, blocksOf, marksIn, textOf } from './anthropic-fault.ts'
import { filler } from './forgetful-model.ts'
import type { AnthropicReply, MockAnthropic } from './mock-anthropic.ts'
import { MODEL, READ, SYSTEM, startAnthropic } from './start-anthropic.ts'

const STEPS = 40
const WINDOW = 16_000
/** The end of the request by which a client asks for a summary, as Claude Code's begins. */
const COMPACTION =
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools. Write an <analysis> and a <summary>.'
const SUGGESTION = '[SUGGESTION MODE: Suggest what the user might naturally type next.]'

/** Thinks and reads one file after the other, now and then two or with a look into the engine's store. */
function works(files: number): (body: AnthropicBody) => AnthropicReply {
  let step = 0
  return ({ messages, tools = [] }) => {
    if (textOf(messages.at(-1)?.content).includes('CRITICAL')) return { text: '<summary>It reads.</summary>' }
    if (textOf(messages.at(-1)?.content).includes('SUGGESTION')) return { text: 'Go on.' }
    if (tools.length === 0) return { text: 'No tools.' }
    if (step >= files) return { thinking: 'That was all.', text: 'All files are read.' }
    step++
    const read = (part: string) => ({ name: 'read_file', input: { path: `src/${part}-${step}.ts` } })
    const looks = step % 7 === 3 && tools.some(({ name }) => name === 'lcm_describe')
    return {
      thinking: `Step ${step}: ${filler(`t${step}`, 20)}`,
      ...(step % 3 === 0 && { text: `Reading ${step}.` }),
      calls: [
        read('a'),
        ...(step % 5 === 0 ? [read('b')] : []),
        ...(looks ? [{ name: 'lcm_describe', input: {} }] : []),
      ],
    }
  }
}

interface WorkInput {
  readonly messages: Anthropic.MessageParam[]
  readonly system?: string
  readonly headers?: Record<string, string>
  readonly isMarked?: boolean
  readonly onStep?: (step: number) => Promise<void>
}

/** A client's own loop of tools, streamed and whole in turn. */
async function work(
  client: Anthropic,
  { messages, system = SYSTEM, headers = {}, isMarked, onStep }: WorkInput,
) {
  for (let step = 1; ; step++) {
    const request = {
      model: MODEL,
      max_tokens: 1_000,
      system,
      messages: mark(messages, isMarked),
      tools: [READ],
    }
    const answer = await (step % 2 === 0
      ? client.messages.stream(request, { headers }).finalMessage()
      : client.messages.create(request, { headers }))
    messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] })
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return answer
    expect(calls.map(({ name }) => name)).toEqual(calls.map(() => 'read_file'))
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: filler(`${id} ${step}`, 350),
      })),
    })
    await onStep?.(step)
  }
}

/** The last message with a breakpoint, as clients set them. */
function mark(messages: readonly Anthropic.MessageParam[], isMarked = false): Anthropic.MessageParam[] {
  const last = messages.at(-1)
  if (!isMarked || last === undefined) return [...messages]
  const blocks = blocksOf(last.content)
  const content = blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  )
  return [...messages.slice(0, -1), { role: last.role, content: content as never }]
}

function sizes({ requests }: MockAnthropic): number[] {
  return requests.map(({ promptTokens }) => promptTokens)
}

test.each(['decisions', 'lcm', 'compressor'])(
  'forty steps of a thinking model stay inside a small window, each request well formed, with %s',
  async (engine) => {
    const { upstream, client, log, inspector } = await startAnthropic(works(STEPS), {
      engine,
      window: WINDOW,
      upstreamWindow: WINDOW,
    })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read all files of the project.' }]
    const answer = await work(client, { messages })
    expect(textOf(answer.content)).toContain('All files are read.')
    expect(upstream.faults).toEqual([])
    expect(upstream.overflows).toBe(0)
    expect(Math.max(...sizes(upstream))).toBeLessThan(WINDOW)
    expect(upstream.thinkingSeen).toBeGreaterThan(STEPS)
    for (const { body } of upstream.requests) expect(marksIn(body)).toBeLessThanOrEqual(4)
    expect(upstream.requests.some(({ body }) => marksIn(body) > 0)).toBe(true)
    const [view] = inspector.list()
    const without = (await inspector.view(view?.id ?? ''))?.requests.at(-1)?.without ?? 0
    expect(without).toBeGreaterThan(2 * WINDOW)
    expect(log).toEqual([])
  },
)

test('a window that is smaller than said is found out, and the client does not hear of it', async () => {
  const { upstream, client } = await startAnthropic(works(STEPS), { window: 40_000, upstreamWindow: 12_000 })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read all files of the project.' }]
  const answer = await work(client, { messages, isMarked: true })
  expect(textOf(answer.content)).toContain('All files are read.')
  expect(upstream.overflows).toBeGreaterThan(0)
  expect(upstream.faults).toEqual([])
  for (const { body } of upstream.requests) expect(marksIn(body)).toBeLessThanOrEqual(1)
})

test('sub-agents, titles, suggestions and requests for a summary are conversations of their own in one session', async () => {
  const { upstream, client, gateway } = await startAnthropic(works(STEPS), {
    window: WINDOW,
    upstreamWindow: WINDOW,
  })
  const session = { 'x-claude-code-session-id': '43dde95a-0c6e-4513-b2ef-2c406cd02d02' }
  const names = new Map<string, Set<string | null>>()
  const ask = async (kind: string, body: object, headers: Record<string, string> = {}) => {
    const { response } = await client.messages
      .create({ model: MODEL, max_tokens: 200, ...body } as Anthropic.MessageCreateParamsNonStreaming, {
        headers: { ...session, ...headers },
      })
      .withResponse()
    names.set(kind, (names.get(kind) ?? new Set()).add(response.headers.get('x-palimpsest-session')))
  }
  const billed = (text: string) => [
    { type: 'text', text: `x-anthropic-billing-header: cc_version=2.1; cch=${text};` },
    { type: 'text', text: SYSTEM },
  ]
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read all files of the project.' }]
  const main = () => ({ system: billed(String(messages.length)), tools: [READ], messages })
  const ownRequest = (text: string) => {
    const asked = [...blocksOf(messages.at(-1)?.content), { type: 'text', text }]
    return { ...main(), messages: [...messages.slice(0, -1), { role: 'user', content: asked }] }
  }
  await work(client, {
    messages,
    headers: session,
    async onStep(step) {
      if (step % 10 !== 0) return
      await ask('main', main())
      await ask('summary', ownRequest(COMPACTION))
      await ask('suggestion', ownRequest(SUGGESTION))
      await ask('sub-agent', main(), { 'x-claude-code-agent-id': `a${step}` })
      await ask('title', { system: 'Write a title.', messages: [{ role: 'user', content: 'Read' }] })
      await ask('main', main())
    },
  })
  expect(names.get('main')?.size).toBe(1)
  expect(names.get('summary')?.size).toBe(1)
  expect(names.get('suggestion')?.size).toBe(1)
  expect(names.get('title')?.size).toBe(1)
  const titles = upstream.requests.filter(({ text }) => text.includes('Write a title.'))
  expect(titles.length).toBeGreaterThan(2)
  for (const { body } of titles) expect(body.tools ?? []).toEqual([])
  const all = [...names.values()].flatMap((set) => [...set])
  expect(new Set(all).size).toBe(all.length)
  expect(gateway.loaded).toBe(all.length)
  expect([upstream.faults, upstream.overflows]).toEqual([[], 0])
  const summaries = upstream.requests.filter(({ body }) =>
    textOf(body.messages.at(-1)?.content).includes('CRITICAL'),
  )
  expect(summaries.length).toBeGreaterThan(2)
  const mains = upstream.requests.filter((request) => !summaries.includes(request))
  for (const { text } of mains) expect(text).not.toContain('CRITICAL')
  expect(upstream.requests.filter(({ text }) => text.includes(SUGGESTION))).toHaveLength(summaries.length)
  expect(Math.max(...sizes(upstream))).toBeLessThan(WINDOW)
})

test.each([
  ['the older form of a user’s id', `user_${'ab'.repeat(8)}_account__session_43dde95a-0c6e`],
  ['its JSON', JSON.stringify({ device_id: 'd', session_id: '43dde95a-0c6e' })],
])('a session is named by %s, and a plain id of a user names none', async (_, id) => {
  const { client } = await startAnthropic(works(0))
  const named = async (user_id: string, content: string) => {
    const body = {
      model: MODEL,
      max_tokens: 9,
      metadata: { user_id },
      messages: [{ role: 'user' as const, content }],
    }
    const { response } = await client.messages.create(body).withResponse()
    return response.headers.get('x-palimpsest-session')
  }
  expect(await named(id, 'one')).toMatch(/^43dde95a-0c6e:/)
  expect(await named(id, 'two')).toBe(await named(id, 'one'))
  expect(await named('user-1', 'one')).not.toBe(await named('user-1', 'two'))
})
