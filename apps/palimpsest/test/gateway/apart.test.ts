import type OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { expect, test } from 'vitest'
import { type Reply, startMockUpstream } from './mock-upstream.ts'
import type { UpstreamBody } from './sequence-fault.ts'
import { startTestGateway } from './test-gateway.ts'

const SECRET = 'My salary is 81,500.'
const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content })
const assistant = (content: string): ChatCompletionMessageParam => ({ role: 'assistant', content })

/** Greets, keeps what it is told, and searches for what it is asked for, also in what was replaced. */
function answer({ messages }: UpstreamBody): Reply {
  const last = messages.at(-1)
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  if (results.length > 0) return { content: `found: ${results.join('\n')}` }
  if (last?.content !== 'What is the salary?') return { content: 'Good morning! What can I do for you?' }
  const calls = [
    { name: 'lcm_grep', arguments: { query: 'salary', include_replaced: true } },
    ...['m2', 'm3', 'm4'].map((id) => ({ name: 'lcm_expand', arguments: { id } })),
  ]
  return { calls }
}

async function ask(openai: OpenAI, messages: ChatCompletionMessageParam[], headers = {}): Promise<string> {
  const { choices } = await openai.chat.completions.create({ model: 'mock-large', messages }, { headers })
  return choices[0]?.message.content ?? ''
}

/** What Bob's model finds after Alice has told her salary, who began with the same words behind the same key. */
async function whatBobFinds(alice: string, bob: string, headers = {}, engine = 'lcm') {
  const upstream = await startMockUpstream({ answer })
  const { client, gateway, log } = await startTestGateway({ ...upstream, engine })
  const openai = client('key of the application')
  const lists = [alice, bob].map((name): ChatCompletionMessageParam[] => [
    { role: 'system', content: `You help ${name}.` },
    user('Good morning'),
  ])
  const [alices = [], bobs = []] = lists
  for (const list of lists) list.push(assistant(await ask(openai, list, headers)))
  await ask(openai, [...alices, user(SECRET)], headers)
  const found = await ask(openai, [...bobs, user('What is the salary?')], headers)
  const { tools, messages } = upstream.requests.at(-1)?.body ?? {}
  const [offered, shown] = [tools, messages].map((value) => JSON.stringify(value))
  return { found, offered, shown, loaded: gateway.loaded, log }
}

test('clients behind one key with system prompts of their own share nothing', async () => {
  const { found, loaded, log } = await whatBobFinds('Alice', 'Bob')
  expect(found).toContain('found:')
  expect(found).not.toContain('81,500')
  expect(loaded).toBe(2)
  expect(log).toEqual([])
})

test.each(['lcm', 'decisions'])(
  'clients whose lists were the same so far do not find what another one said, with %s',
  async (engine) => {
    const everybody = 'everybody'
    const { found, offered, shown, loaded, log } = await whatBobFinds(everybody, everybody, {}, engine)
    expect(loaded).toBe(1)
    expect(offered).toContain('lcm_grep')
    expect(offered).not.toContain('include_replaced')
    expect(found).toContain('found:')
    expect(shown).not.toContain('81,500')
    expect(log).toEqual([expect.stringContaining('name their conversations')])
  },
)

test('a conversation with a name is of one client, who finds what it has taken back', async () => {
  const { found, offered, log } = await whatBobFinds('me', 'me', { 'x-palimpsest-session': 'mine' })
  expect(offered).toContain('include_replaced')
  expect(found).toContain('81,500')
  expect(log).toEqual([])
})

test('system prompts that differ in dates and times only are one conversation, and in anything else two', async () => {
  const today = 'Today is Monday, November 23, 2026, 09:15.'
  const tomorrow = 'Today is Tuesday, November 24, 2026, 18:40.'
  expect(await whatBobFinds(`me. ${today}`, `me. ${tomorrow}`)).toMatchObject({ loaded: 1 })
  expect(await whatBobFinds(`me. ${today} Seat 4`, `me. ${tomorrow} Seat 5`)).toMatchObject({ loaded: 2 })
})

test('opencode names its conversations: a title is apart from the main one, and gets no tools of the engine', async () => {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'Hello.' }) })
  const { client, gateway } = await startTestGateway({ ...upstream, engine: 'lcm' })
  const bash = { type: 'function', function: { name: 'bash', parameters: { type: 'object' } } } as const
  const names: (string | null)[] = []
  const send = async (session: string, system: string, said: string, tools: (typeof bash)[]) => {
    const messages = [{ role: 'system' as const, content: system }, user(said)]
    const headers = { 'user-agent': 'opencode/1.18.33 runtime/bun', 'x-session-id': session }
    const body = { model: 'mock-large', messages, ...(tools.length > 0 && { tools }) }
    const { response } = await client('key').chat.completions.create(body, { headers }).withResponse()
    names.push(response.headers.get('x-palimpsest-session'))
  }
  await send('ses_1', 'You are a title generator.', 'say hi', [])
  await send('ses_1', 'You are opencode. Today is Mon Nov 23 2026.', 'say hi', [bash])
  // A list that has nothing of the one before, as after a compaction of the client's own.
  await send('ses_1', 'You are opencode. Today is Tue Nov 24 2026.', 'a summary', [bash])
  await send('ses_2', 'You are opencode. Today is Tue Nov 24 2026.', 'say hi', [bash])
  expect(names[2]).toBe(names[1])
  expect(new Set(names).size).toBe(3)
  expect(names[0]).toMatch(/^ses_1:/)
  expect(gateway.loaded).toBe(3)
  const offered = upstream.requests.map(({ body }) => (body.tools ?? []).length)
  expect(offered[0]).toBe(0)
  expect(offered[1]).toBeGreaterThan(1)
})
