import { setTimeout as sleep } from 'node:timers/promises'
import { messageText, PalimpsestError, type Store } from '@palimpsest/core'
import { LOCK_TAKEN } from '@palimpsest/gateway'
import { createPostgresStore } from '@palimpsest/postgres'
import type OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { expect, onTestFinished, test } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { createConversationIndex } from '../../src/serve/gateway/conversation-index.ts'
import { answerFromPrompt, filler, NOTE, READ_FILE } from './forgetful-model.ts'
import { type MockUpstream, startMockUpstream } from './mock-upstream.ts'
import { startWorker } from './start-worker.ts'

const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content })
const NAMED = { headers: { 'x-palimpsest-session': 'talk' } }

interface Asked {
  readonly text: string
  readonly session: string | null
  readonly warning: string | null
}

/** Asks, and follows the calls of the client's own tools; the list grows by what was said. */
async function ask(openai: OpenAI, messages: ChatCompletionMessageParam[], options = {}): Promise<Asked> {
  for (;;) {
    const request = { model: 'mock-large', messages, tools: [READ_FILE], max_tokens: 300 }
    const { data, response } = await openai.chat.completions.create(request, options).withResponse()
    const { headers } = response
    const session = headers.get('x-palimpsest-session')
    const warning = headers.get('x-palimpsest-warning')
    if (!takeAnswer(data, messages)) return { text: textOf(messages.at(-1)), session, warning }
  }
}

/** The same, answered by streams. */
async function askStreamed(openai: OpenAI, messages: ChatCompletionMessageParam[]): Promise<void> {
  const request = { model: 'mock-large', messages, tools: [READ_FILE], max_tokens: 300 }
  while (takeAnswer(await openai.chat.completions.stream(request).finalChatCompletion(), messages));
}

/** True when results of the client's tools were added, for the next request. */
function takeAnswer({ choices }: OpenAI.ChatCompletion, messages: ChatCompletionMessageParam[]): boolean {
  const message = choices[0]?.message
  if (message === undefined) throw new Error('there is no answer')
  messages.push(message)
  const { tool_calls: calls = [] } = message
  for (const { id } of calls)
    messages.push({ role: 'tool', tool_call_id: id, content: filler(`${id} ${messages.length}`, 60) })
  return calls.length > 0
}

const textOf = (message: ChatCompletionMessageParam | undefined) => String(message?.content ?? '')

/** The contents of everything that is stored of each conversation, in order. */
async function storedIn(store: Store): Promise<string[][]> {
  const sessions = await store.list({ limit: 100 })
  const found = await Promise.all(
    sessions.map(async (ref) => {
      const all = (await (await store.find(ref))?.messages()) ?? []
      return all.map(({ message }) => (message === null ? '' : messageText(message)))
    }),
  )
  return found.filter((messages) => messages.length > 0)
}

const roles = ({ requests }: MockUpstream) => requests.at(-1)?.body.messages.map(({ role }) => role)

describeWithPostgres('workers on one database', (server) => {
  const startWorkers = async (
    upstream: MockUpstream,
    options: Partial<Parameters<typeof startWorker>[0]> = {},
  ) => {
    const schema = server.schema()
    const store = createPostgresStore({ url: server.url, schema, poolSize: 1 })
    onTestFinished(() => store.close())
    const start = (name: string, own: Partial<Parameters<typeof startWorker>[0]> = {}) =>
      startWorker({ ...upstream, url: server.url, schema, name, ...options, ...own })
    const workers = [await start('one'), await start('two')] as const
    return { workers, store, start }
  }

  test('a client whose requests go to any of them notices nothing', async () => {
    const window = 9_000
    const upstream = await startMockUpstream({ window, answer: answerFromPrompt, piece: 200 })
    const { workers, store } = await startWorkers(upstream, { window })
    const clients = workers.map(({ client }) => client())
    let state = 7
    const any = (): OpenAI => {
      state = (state * 1_103_515_245 + 12_345) >>> 0
      return clients[(state >>> 8) % 2] as OpenAI
    }
    const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are careful.' }]
    const sessions = new Set<string | null>()
    for (let turn = 1; turn <= 100; turn++) {
      const kind = turn % 8 === 0 ? 'Read the module of' : 'Look at'
      const words = `${filler(`turn ${turn}`, 25)} ${turn === 3 ? `beside a copper lantern.${NOTE}` : ''}`
      messages.push(user(`${kind} task ${turn}. ${words}`))
      if (turn % 3 === 0) await askStreamed(any(), messages)
      else sessions.add((await ask(any(), messages)).session)
    }
    for (const [index, subject] of ['lantern', 'archive bucket'].entries()) {
      messages.push(user(`Which ${subject} was it?`))
      const { text } = await ask(clients[index] as OpenAI, messages)
      expect(text).toContain(['copper', 'lumen-vault-73'][index])
    }
    // The lantern was looked up with an engine's tool at one worker; the other one puts that back.
    messages.push(user('Thank you.'))
    await ask(clients[1] as OpenAI, messages)
    expect(roles(upstream)?.slice(-5)).toEqual(['tool', 'assistant', 'user', 'assistant', 'user'])
    expect(upstream.overflows).toBe(0)
    expect(sessions.size).toBe(1)
    expect(workers.flatMap(({ log }) => log)).toEqual([])
    const [stored] = await storedIn(store)
    expect(stored?.filter((text) => text.startsWith('Look at task 7.'))).toHaveLength(1)
    expect(await store.verify()).toEqual([])
  }, 300_000)

  test('of two turns at once, one waits when they are of one conversation by name, and is another one without', async () => {
    let running = 0
    let most = 0
    const upstream = await startMockUpstream({
      async answer({ messages }) {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 50))
        running--
        return { content: `to ${messages.length}` }
      },
    })
    const { workers, store } = await startWorkers(upstream)
    const both = (options = {}) =>
      Promise.all(workers.map(({ client }, index) => ask(client(), [user(`from ${index}`)], options)))
    expect((await both(NAMED)).map(({ session }) => session)).toEqual(['talk', 'talk'])
    expect(most).toBe(1)
    const alike = await Promise.all(workers.map(({ client }) => ask(client(), [user('hi')])))
    expect(new Set(alike.map(({ session }) => session)).size).toBe(2)
    expect(workers.flatMap(({ log }) => log)).toEqual([
      expect.stringContaining('begin with the same messages'),
    ])
    expect(await store.verify()).toEqual([])
  })

  test.each([false, true])(
    'who lost its conversation says so and stores nothing (stream: %s)',
    async (stream) => {
      const lost = new AbortController()
      const lock = { signal: lost.signal, release: async () => {} }
      const locks = { take: async () => lock, tryTake: async () => lock, close: async () => {} }
      const upstream = await startMockUpstream({
        answer({ messages }) {
          if (messages.length === 3) lost.abort(new PalimpsestError(LOCK_TAKEN, 'by somebody'))
          return { content: `to ${messages.length}` }
        },
      })
      const { workers, store, start } = await startWorkers(upstream)
      const messages = [user('a')]
      const { session } = await ask(workers[0].client(), messages)
      const slow = await start('slow', { locks })
      const request = { model: 'mock-large', messages: [...messages, user('b')] }
      const asked = stream
        ? slow.client().chat.completions.stream(request).finalChatCompletion()
        : slow.client().chat.completions.create(request)
      await expect(asked).rejects.toMatchObject({ code: 'conversation_taken' })
      expect(await ask(workers[1].client(), [...messages, user('c')])).toMatchObject({
        text: 'to 3',
        session,
      })
      // An answer is stored with the next list; what was replaced is not shown.
      expect(await storedIn(store)).toEqual([['a', 'to 1', 'c']])
    },
  )

  test.each([false, true])(
    'an answer that comes too late is refused at its end (stream: %s)',
    async (stream) => {
      let isLate = true
      const schema = server.schema()
      const store = createPostgresStore({ url: server.url, schema, poolSize: 1 })
      onTestFinished(() => store.close())
      const index = createConversationIndex({ store, principal: 'local' }, { now: Date.now })
      const upstream = await startMockUpstream({
        async answer() {
          // Another worker has taken it over, and this one does not know yet.
          const [owner = '', name = ''] = (await store.list({ limit: 1 }))[0]?.key.split(':').slice(1) ?? []
          if (isLate) await index.acquire(owner, name)
          return { content: 'words' }
        },
      })
      const { client } = await startWorker({
        ...upstream,
        url: server.url,
        schema,
        name: 'late',
        engine: 'lcm',
      })
      const request = { model: 'mock-large', messages: [user('a')] }
      const late = stream
        ? client().chat.completions.stream(request).finalChatCompletion()
        : client().chat.completions.create(request)
      await expect(late).rejects.toMatchObject({ code: 'conversation_taken', type: 'conflict_error' })
      isLate = false
      expect(await ask(client(), [user('a')])).toMatchObject({ text: 'words', warning: null })
    },
  )
})

describeWithPostgres(
  'workers whose database goes away',
  (server) => {
    test('answer all the same, record nothing twice, and go on when it is back', async () => {
      let inTheMiddle = async () => {}
      const upstream = await startMockUpstream({
        async answer({ messages }) {
          await inTheMiddle()
          return { content: `to ${messages.length}` }
        },
      })
      const { url } = server
      const schema = server.schema()
      const start = (name: string) =>
        startWorker({ ...upstream, url, schema, name, engine: 'lcm', holdTime: 1_000 })
      const [one, two] = [await start('one'), await start('two')]
      const messages = [user('a')]
      const { session } = await ask(one.client(), messages, NAMED)

      messages.push(user('b'))
      inTheMiddle = async () => {
        await server.cluster.kill()
        // For longer than the lock lasts.
        await sleep(1_500)
      }
      expect(await ask(two.client(), messages, NAMED)).toMatchObject({ text: 'to 3' })
      inTheMiddle = async () => {}
      messages.push(user('c'))
      const { text, warning } = await ask(one.client(), messages, NAMED)
      expect(text).toBe('to 5')
      expect(warning).toContain('store of the gateway failed')
      const body = JSON.stringify({ error: { message: 'too long', code: 'context_length_exceeded' } })
      upstream.failNext({ type: 'status', status: 400, body })
      const tooLong = ask(two.client(), [...messages, user('d')], NAMED)
      await expect(tooLong).rejects.toMatchObject({ status: 503, code: 'store_unavailable' })

      await server.cluster.start()
      for (const { client } of [one, two]) {
        messages.push(user('d'))
        expect(await ask(client(), messages, NAMED)).toMatchObject({ session, warning: null })
      }
      const store = createPostgresStore({ url, schema, poolSize: 1 })
      onTestFinished(() => store.close())
      expect(await storedIn(store)).toEqual([messages.slice(0, -1).map(({ content }) => content)])
      expect(await store.verify()).toEqual([])
    })
  },
  'cluster',
)
