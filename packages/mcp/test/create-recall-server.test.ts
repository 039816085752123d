import { createLcmStoreTools } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { createRecallServer, type RecallTools } from '../src/index.ts'
import { connect } from './connect.ts'

/** Three sessions, of which the client may read two. */
async function open(onCall: () => void = () => {}) {
  const store = createSqliteStore({ path: ':memory:' })
  const contents = {
    shop: ['Deploy the quokka service on Friday.', 'The ledger port is 7443.', 'x '.repeat(30_000)],
    blog: [
      'The quokka picture goes on top.',
      ...Array.from({ length: 60 }, (_, i) => `Page number ${i} is done.`),
    ],
    private: ['The quokka password hint is swordfish.'],
  }
  for (const [key, texts] of Object.entries(contents)) {
    const session = await store.session({ key }, 1)
    const messages = texts.map((content) => ({ message: { role: 'user' as const, content }, tokens: 9 }))
    await session.append({ nextSeq: 0, messages, at: 1 })
  }
  const tools = createLcmStoreTools({
    store,
    async sessions({ onProgress }) {
      onCall()
      onProgress?.(1, 2, 'half')
      return { sessions: [{ key: 'shop', title: 'About a shop' }, { key: 'blog' }] }
    },
  })
  const client = await connect(createRecallServer({ tools: [tools] }))
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: args })
    const [first] = content
    const text = first?.type === 'text' ? first.text : ''
    return { isError, text, answer: structuredContent as Record<string, unknown> | undefined }
  }
  return { client, call }
}

describe('createRecallServer', () => {
  it('describes each tool with a title, annotations and the shape of its answers', async () => {
    const { client } = await open()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['lcm_grep', 'lcm_describe', 'lcm_expand'])
    for (const { title, annotations, outputSchema, inputSchema } of tools) {
      expect(title).toMatch(/^[A-Z][a-z ]+$/)
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, openWorldHint: false })
      expect(outputSchema?.type).toBe('object')
      expect(inputSchema.properties).toHaveProperty('session')
    }
    expect(client.getInstructions()).toContain('lcm_grep')
  })

  it('answers with text and the same as structured content, over all sessions', async () => {
    const { call } = await open()
    const { text, answer } = await call('lcm_grep', { query: 'quokka' })
    expect(JSON.parse(text)).toEqual(answer)
    expect(answer).toMatchObject({
      complete: true,
      sessions: [
        { session: 'shop', title: 'About a shop', hits: [{ ref: 'm0' }] },
        { session: 'blog', hits: [{ ref: 'm0' }] },
      ],
    })
    const { answer: read } = await call('lcm_expand', { session: 'shop', id: 'm1' })
    expect(read).toMatchObject({ session: 'shop', text: expect.stringContaining('7443') })
    const { answer: asked } = await call('lcm_grep', { query: 'Which port has the ledger?' })
    expect(JSON.stringify(asked)).toContain('7443')
  })

  it('asks the sessions that hold the rarer words of a question', async () => {
    const { call } = await open()
    const { answer } = await call('lcm_grep', { query: 'Is the quokka of the ledger page done?' })
    expect(answer?.sessions).toMatchObject([{ session: 'shop' }, { session: 'blog' }])
    const { answer: other } = await call('lcm_grep', { query: 'Which quokka picture goes on top?' })
    expect(other?.sessions).toMatchObject([{ session: 'blog' }, { session: 'shop' }])
  })

  it('gives each hit once over all pages', async () => {
    const { call } = await open()
    const seen: string[] = []
    let cursor: unknown
    do {
      const page = { query: 'page number', limit: 7, ...(cursor !== undefined && { cursor }) }
      const { answer } = await call('lcm_grep', page)
      const sessions = answer?.sessions as { session: string; hits: { ref: string; matches?: string[] }[] }[]
      const refs = sessions.flatMap(({ session, hits }) =>
        hits.flatMap(({ ref, matches = [ref] }) => matches.map((each) => `${session} ${each}`)),
      )
      seen.push(...refs)
      cursor = answer?.next
    } while (typeof cursor === 'string')
    expect(seen).toHaveLength(60)
    expect(new Set(seen).size).toBe(60)
  })

  it('lists the sessions, and needs one for an id', async () => {
    const { call } = await open()
    const { answer } = await call('lcm_describe', {})
    expect(answer).toMatchObject({ total: 2, next: null, sessions: [{ session: 'shop', messages: 3 }, {}] })
    const { isError, text } = await call('lcm_expand', { id: 'm1' })
    expect(isError).toBe(true)
    expect(text).toContain('session')
  })

  it('tells progress to a client that asks for it, and stops when it cancels', async () => {
    const { client } = await open()
    const told: unknown[] = []
    await client.callTool(
      { name: 'lcm_grep', arguments: { query: 'quokka' } },
      { onprogress: (progress) => told.push(progress) },
    )
    expect(told).toMatchObject([{ progress: 1, total: 2, message: 'half' }])

    const { promise, resolve } = Promise.withResolvers<unknown>()
    const waits: RecallTools = {
      schemas: [{ type: 'function', function: { name: 'lcm_grep' } }],
      call: (_name, _args, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            resolve('stopped')
            reject(signal.reason)
          })
          stop.abort()
        }),
    }
    const stop = new AbortController()
    const waiting = await connect(createRecallServer({ tools: [waits] }))
    const cancelled = waiting.callTool({ name: 'lcm_grep', arguments: {} }, { signal: stop.signal })
    await expect(cancelled).rejects.toThrow()
    expect(await promise).toBe('stopped')
  })

  it('offers what writes only when it is asked to', async () => {
    const tool = (name: string) => ({ type: 'function' as const, function: { name } })
    const tools: RecallTools = {
      schemas: ['decisions_list', 'decisions_record', 'unknown_tool'].map(tool),
      call: async () => '{}',
    }
    const names = async (offer?: (name: string) => boolean) => {
      const client = await connect(createRecallServer({ tools: [tools], ...(offer && { offer }) }))
      return (await client.listTools()).tools.map(({ name }) => name)
    }
    await expect(names()).rejects.toThrow('say in "offer" whether clients get it')
    expect(await names(() => true)).toEqual(['decisions_list', 'decisions_record', 'unknown_tool'])
    const known = { ...tools, schemas: tools.schemas.slice(0, 2) }
    const client = await connect(createRecallServer({ tools: [known] }))
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['decisions_list'])
    await expect(client.callTool({ name: 'decisions_record', arguments: {} })).rejects.toThrow('no tool')
  })
})

const HUGE = 'a'.repeat(1_000_000)
const values: readonly unknown[] = [
  ...[
    'private',
    '../private',
    'shop\0private',
    'private end',
    '%',
    "' OR 1=1 --",
    '/etc/passwd',
    '__proto__',
  ],
  ...[
    'shop/../private',
    '*',
    'm0',
    's0',
    'private m0',
    'r1m9',
    'shop r0m0',
    'shop m99999999999999999999',
    HUGE,
  ],
  ...[
    '(a+)+$',
    '(.*)*x',
    '(?<a>x)\\k<b>',
    '[',
    '\\',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '',
    ' ',
    '\ud800',
  ],
  ...[
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    true,
    null,
    [],
    {},
    [[]],
    { toString: 'x' },
    ['private'],
    [HUGE],
  ],
]
const names = ['lcm_grep', 'lcm_describe', 'lcm_expand']
const argumentNames = [
  'session',
  'query',
  'question',
  'id',
  'ids',
  'cursor',
  'offset',
  'limit',
  'mode',
  'first',
]

it('gives hostile calls nothing that is not theirs, and goes on', async () => {
  let asked = 0
  const { client, call } = await open(() => asked++)
  const valid: Readonly<Record<string, Record<string, unknown>>> = {
    lcm_grep: { query: 'quokka' },
    lcm_describe: {},
    lcm_expand: { id: 'm0', session: 'shop' },
  }
  const counts = { calls: 0, answers: 0, errors: 0, refused: 0, longest: 0 }
  for (const name of names)
    for (const [at, value] of values.entries())
      for (const argument of [argumentNames[at % 10] ?? '', argumentNames[(at + 3) % 10] ?? '', 'session']) {
        const hostile = {
          ...valid[name],
          [argument]: value,
          ...(name === 'lcm_grep' && at % 2 === 0 && { mode: 'regex' }),
        }
        counts.calls++
        const outcome = await call(name, hostile).catch((error: Error) => error)
        if (outcome instanceof Error) counts.refused++
        else if (outcome.isError) counts.errors++
        else counts.answers++
        const text = outcome instanceof Error ? outcome.message : outcome.text
        counts.longest = Math.max(counts.longest, text.length)
        expect(text).not.toContain('swordfish.')
        expect(text).not.toContain('password hint')
      }
  console.log('hostile calls', counts)
  expect(counts.calls).toBeGreaterThan(300)
  expect(counts.errors).toBeGreaterThan(100)
  expect(counts.longest).toBeLessThanOrEqual(20_000)
  expect(asked).toBeGreaterThan(0)
  const { answer } = await call('lcm_grep', { query: 'ledger port' })
  expect(answer).toMatchObject({ sessions: [{ session: 'shop' }] })
  await client.close()
})
