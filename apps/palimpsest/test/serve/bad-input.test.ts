import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filePlace } from '../../src/stores/store-place.ts'
import { readStore, textsIn } from './read-store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { echo, startTestService, type TestService } from './test-service.ts'

type Case = readonly [
  name: string,
  call: (service: TestService) => ReturnType<TestService['post']>,
  expected: string,
]

const json = { 'content-type': 'application/json' }

const query =
  (fields: unknown): Case[1] =>
  (s) =>
    s.post('/query', fields)

const CASES: readonly Case[] = [
  ['an unknown session, asked for', (s) => s.get('/state?session=nobody'), '404 unknown-session session'],
  [
    'a session that is a path of JavaScript',
    (s) => s.get('/state?session=__proto__'),
    '422 invalid-field session',
  ],
  ['two sessions', (s) => s.get('/state?session=a&session=b'), '422 invalid-field session'],
  ['half a JSON text', query('{"query":'), '400 invalid-json body'],
  ['no body', query(''), '400 invalid-json body'],
  ['a list', query([]), '422 invalid-field body'],
  ['a field that is not known', query({ query: 'q', sesion: 'x' }), '422 invalid-field sesion'],
  [
    'a field that is a path of JavaScript',
    query('{"query":"q","__proto__":{}}'),
    '422 invalid-field __proto__',
  ],
  [
    'a piece of code that is a number',
    query({ query: 'q', relevantCodes: [{ code: 3 }] }),
    '422 invalid-field relevantCodes.0.code',
  ],
  ['a parameter that is not known', (s) => s.get('/state?sessoin=demo'), '422 invalid-field sessoin'],
  [
    'a session in the address of a query',
    (s) => s.post('/query?session=demo', { query: 'q' }),
    '422 invalid-field session',
  ],
  [
    'bytes that are no UTF-8',
    (s) =>
      s.post('/query', 0, {
        body: new Uint8Array([...Buffer.from('{"query":"'), 0xff, ...Buffer.from('"}')]),
      }),
    '400 invalid-utf8 body',
  ],
  ['an empty query', query({ query: ' \n\t' }), '422 invalid-field query'],
  [
    '10,000 pieces of code',
    query({ query: 'q', relevantCodes: Array(10_000).fill('x') }),
    '422 invalid-field relevantCodes',
  ],
  ['a session with a line break', query({ query: 'q', session: 'a\nb' }), '422 invalid-field session'],
  [
    'a session of 10,000 characters',
    query({ query: 'q', session: 'a'.repeat(10_000) }),
    '422 invalid-field session',
  ],
  [
    'a body that is not declared as JSON',
    (s) => s.post('/init', {}, { headers: { 'content-type': 'text/plain' } }),
    '415 not-json',
  ],
  [
    'a field that is nested 100,000 deep',
    query(`{"query": "q", "x": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    '422 invalid-field x',
  ],
  ['a body of 50 MB', query({ query: 'a'.repeat(50_000_000) }), '413 body-too-large'],
]

describe('bad input', () => {
  it.each(CASES)('%s is refused with a reason', async (_, call, expected) => {
    const service = await startTestService()
    const { status, body } = await call(service)
    expect([status, body.error.code, body.error.path].filter((part) => part !== undefined).join(' ')).toBe(
      expected,
    )
    // It goes on, and nothing was begun.
    expect((await service.get('/health')).body).toMatchObject({ status: 'ok', loaded: 0 })
  })

  it('refuses a query that no window holds, before anything of it is stored', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const service = await startTestService({ engine: 'decisions', window: 4_000, store })
    const long = `We use MongoDB as our database. ${'word '.repeat(5_000)}`
    const { status, body } = await service.post('/query', { query: long })
    expect([status, body.error.code, body.error.path]).toEqual([422, 'context-overflow', 'query'])
    expect(body.error.message).toMatch(/takes about 50\d\d tokens .* the window of 4000/)
    const relevantCodes = ['x = 1; '.repeat(8_000)]
    const code = await service.post('/query', { query: 'q', relevantCodes })
    expect([code.status, code.body.error.path]).toEqual([422, 'relevantCodes'])
    await readStore(filePlace(store), async (kept) => expect(await textsIn(kept, 'default')).toEqual([]))
    expect((await service.post('/query', { query: 'And in short?' })).body.turn).toBe(1)
  })

  it('refuses 50 MB that come without a length', async () => {
    const service = await startTestService()
    const chunk = new TextEncoder().encode('a'.repeat(1_000_000))
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 50) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const init: RequestInit = { method: 'POST', headers: json, body, duplex: 'half' }
    // The service answers before it has read all, and may close the connection on who still sends.
    const status = await fetch(`${service.url}/query`, init).then(
      (response) => response.status,
      () => 413,
    )
    expect(status).toBe(413)
    expect((await service.get('/health')).status).toBe(200)
  })

  it('says nothing of what it was asked in its log', async () => {
    const service = await startTestService({ models: { answer: echo() } })
    await service.post('/query', { query: 'our secret plan is SQUIRREL', session: 'plans' })
    await service.post('/query?q=SQUIRREL', '{"query": "SQUIRREL')
    await service.get('/SQUIRREL')
    expect(service.log.join('\n')).not.toContain('SQUIRREL')
    expect(service.log[1]).toMatch(/^\S+ POST \/query 200 \d+ms session=plans tokens=100\/10$/)
  })
})
