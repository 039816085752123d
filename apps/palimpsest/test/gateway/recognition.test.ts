import { join } from 'node:path'
import type OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { expect, test } from 'vitest'
import { filePlace } from '../../src/stores/store-place.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content })
const assistant = (content: string): ChatCompletionMessageParam => ({ role: 'assistant', content })

/** Numbers its answers. */
function counting(): () => { content: string } {
  let count = 0
  return () => ({ content: `answer ${++count}` })
}

/** Asks, and returns the conversation's name. */
async function ask(openai: OpenAI, messages: ChatCompletionMessageParam[], headers = {}): Promise<string> {
  const asked = openai.chat.completions.create({ model: 'mock-large', messages }, { headers })
  return (await asked.withResponse()).response.headers.get('x-palimpsest-session') ?? ''
}

test('another answer and another last message go on; what parts earlier is a branch', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client } = await startTestGateway(upstream)
  const begun = [user('a'), assistant('answer 1'), user('b')]
  const name = await ask(client(), [user('a')])
  await ask(client(), begun)
  expect(await ask(client(), begun)).toBe(name)
  expect(await ask(client(), [user('a'), assistant('answer 1'), user('B')])).toBe(name)
  const branch = await ask(client(), [user('a'), assistant('answer 1, edited'), user('c')])
  expect(branch).not.toBe(name)
  // Both go on by themselves.
  expect(await ask(client(), [user('a'), assistant('answer 1'), user('B'), assistant('x'), user('d')])).toBe(
    name,
  )
  const further = [user('a'), assistant('answer 1, edited'), user('c'), assistant('y'), user('e')]
  expect(await ask(client(), further)).toBe(branch)
  expect(upstream.requests.at(-1)?.body.messages).toEqual(further)
})

test('a conversation of one user goes on with a renewed login', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client, gateway } = await startTestGateway({ ...upstream, oneUser: true })
  const name = await ask(client('login'), [user('a')])
  expect(await ask(client('renewed'), [user('a'), assistant('answer 1'), user('b')])).toBe(name)
  const named = { 'x-palimpsest-session': 'mine' }
  await ask(client('login'), [user('c')], named)
  await ask(client('renewed'), [user('c'), assistant('answer 3'), user('d')], named)
  expect(gateway.loaded).toBe(2)
})

test('two conversations that begin alike at the same time are two', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client, gateway } = await startTestGateway(upstream)
  const names = await Promise.all([1, 2, 3].map(() => ask(client(), [user('hi')])))
  expect(new Set(names).size).toBe(3)
  expect(gateway.loaded).toBe(3)
})

test('a header names the conversation: its requests wait for each other', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client, gateway } = await startTestGateway(upstream)
  const named = { 'x-palimpsest-session': 'my-session' }
  const names = await Promise.all(['a', 'b'].map((text) => ask(client(), [user(text)], named)))
  expect(names).toEqual(['my-session', 'my-session'])
  expect(gateway.loaded).toBe(1)
  const wrong = ask(client(), [user('a')], { 'x-palimpsest-session': 'no spaces' })
  await expect(wrong).rejects.toMatchObject({ status: 400, code: 'invalid_session' })
})

test('two keys never share a conversation, under one name neither', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client, gateway, inspector } = await startTestGateway(upstream)
  const named = { 'x-palimpsest-session': 'same' }
  for (const key of ['key-a', 'key-b']) {
    await ask(client(key), [user('hi')])
    await ask(client(key), [user('hi')], named)
  }
  expect(gateway.loaded).toBe(4)
  expect(new Set(inspector.list().map(({ id }) => id)).size).toBe(4)
  expect(JSON.stringify(inspector.list())).not.toContain('key-a')
})

test('a conversation that nobody used for a while leaves the memory, and is recognised when it comes back', async () => {
  const upstream = await startMockUpstream({ answer: counting() })
  let now = 1_000_000
  const clock = { now: () => now }
  const { client, gateway } = await startTestGateway({
    ...upstream,
    clock,
    limits: { idleConversation: 500 },
  })
  const name = await ask(client(), [user('a')])
  now += 1_000
  await ask(client(), [user('something else')])
  expect(gateway.loaded).toBe(1)
  expect(await ask(client(), [user('a'), assistant('answer 1'), user('b')])).toBe(name)
})

test('after a restart with a store, the conversation and what it never showed are there', async () => {
  const place = filePlace(join(await temporaryFolder(), 'store.db'))
  const start = () => startTestGateway({ ...upstream, place })
  const replies = [{ calls: [{ name: 'lcm_grep', arguments: { query: 'a' } }] }, { content: 'answer 1' }]
  const upstream = await startMockUpstream({ answer: () => replies.shift() ?? { content: 'later' } })
  const first = await start()
  const name = await ask(first.client(), [user('a')])
  await first.close()
  const second = await start()
  expect(await ask(second.client(), [user('a'), assistant('answer 1'), user('b')])).toBe(name)
  const roles = upstream.requests.at(-1)?.body.messages.map(({ role }) => role)
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  // Somebody else who begins alike does not continue it.
  expect(await ask(second.client(), [user('a'), assistant('other'), user('x')])).not.toBe(name)
})

/** Asks again and again, with a part of the whole history, and returns the names of all conversations. */
async function talkTrimmed(
  openai: OpenAI,
  trim: (history: ChatCompletionMessageParam[]) => ChatCompletionMessageParam[],
  about: string,
): Promise<string[]> {
  const history: ChatCompletionMessageParam[] = []
  const names: string[] = []
  for (let turn = 1; turn <= 30; turn++) {
    history.push(user(`${about}, question ${turn}`))
    const messages = trim(history)
    const { data, response } = await openai.chat.completions
      .create({ model: 'mock-large', messages })
      .withResponse()
    names.push(response.headers.get('x-palimpsest-session') ?? '')
    const isTrimmed = messages.length < history.length
    expect(
      response.headers.get('x-palimpsest-warning')?.includes('has left out older messages') ?? false,
    ).toBe(isTrimmed)
    history.push(assistant(data.choices[0]?.message.content ?? ''))
  }
  return names
}

test.each([
  ['its oldest messages', (history: ChatCompletionMessageParam[]) => history.slice(-7)],
  [
    'messages behind the first two',
    (history: ChatCompletionMessageParam[]) => [...history.slice(0, 2), ...history.slice(2).slice(-7)],
  ],
])('a client that leaves out %s stays in its conversation, and is warned', async (_, trim) => {
  const upstream = await startMockUpstream({ answer: counting() })
  const { client, gateway, log } = await startTestGateway(upstream)
  const names = await talkTrimmed(client(), trim, 'ships')
  expect(new Set(names).size).toBe(1)
  expect(gateway.loaded).toBe(1)
  expect(log.filter((line) => line.includes('has left out older messages'))).toHaveLength(1)
  expect(
    upstream.requests
      .at(-1)
      ?.body.messages.map(({ content }) => content)
      .at(-1),
  ).toBe('ships, question 30')
})

test('the end of a conversation is recognised behind its own key, name and beginning alone', async () => {
  const upstream = await startMockUpstream({ answer: () => ({ content: 'ok' }) })
  const { client } = await startTestGateway(upstream)
  const said = [user('a'), assistant('ok'), user('go on'), assistant('ok'), user('go on')]
  const name = await ask(client(), said)
  const next = [...said.slice(1), assistant('ok'), user('more')]
  expect(await ask(client('another-key'), next)).not.toBe(name)
  const named = { 'x-palimpsest-session': 'mine' }
  expect(await ask(client(), next, named)).toBe('mine')
  expect(await ask(client(), [user('b'), ...next], {})).not.toBe(name)
  const system: ChatCompletionMessageParam = { role: 'system', content: 'You are another one.' }
  expect(await ask(client(), [system, ...next])).not.toBe(name)
  expect(await ask(client(), next)).toBe(name)
  // Messages of a named conversation do not count as the end of an unnamed one.
  const secret = [user('x'), assistant('ok'), user('y'), assistant('ok'), user('z')]
  await ask(client(), secret, { 'x-palimpsest-session': 'theirs' })
  expect(await ask(client(), [...secret.slice(1), assistant('ok'), user('more')])).not.toBe('theirs')
})
