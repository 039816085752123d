import type { ChatCall, ChatResponse } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { scripted, startTestService, type TestOptions, type TestService, words } from './test-service.ts'

/** A model that answers when it is told to. */
function gated() {
  const asked: { readonly call: ChatCall; answer(text: string): void }[] = []
  const model = scripted(
    (call) =>
      new Promise<ChatResponse>((resolve) => {
        asked.push({ call, answer: (text) => resolve(words(text)) })
      }),
  )
  return {
    model,
    asked,
    until: (count: number) => expect.poll(() => asked.length).toBe(count),
  }
}

describeWithPostgres('workers that share their sessions', (server) => {
  const start = (schema: string, options: TestOptions = {}): Promise<TestService> =>
    startTestService({ engine: 'decisions', store: server.url, schema, ...options })
  const expireHolds = (schema: string) =>
    server.pool.query(`UPDATE ${schema}.job SET until = 0 WHERE holder IS NOT NULL`)

  it('answer calls of one session one after the other, whoever gets them', async () => {
    const schema = server.schema()
    const workers = await Promise.all([1, 2, 3].map(() => start(schema)))
    const asked = Array.from({ length: 9 }, (_, index) => {
      return workers[index % 3]?.post('/query', { query: `question ${index}` })
    })
    const turns = (await Promise.all(asked)).map((called) => called?.body.turn)
    expect(turns.toSorted((one, next) => one - next)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('say that a session is busy, when another worker is at it for long', async () => {
    const schema = server.schema()
    const { model, asked, until } = gated()
    const one = await start(schema, { models: { answer: model } })
    const two = await start(schema, { limits: { lockLimit: 1000 } })
    const slow = one.post('/query', { query: 'slow' })
    await until(1)
    for (const called of [await two.post('/query', { query: 'next' }), await two.post('/init', {})]) {
      expect([called.status, called.body.error.code]).toEqual([503, 'session-busy'])
      expect(called.headers.get('retry-after')).toBe('5')
    }
    expect((await two.post('/query', { query: 'elsewhere', session: 'other' })).status).toBe(200)
    asked[0]?.answer('done')
    expect((await slow).body).toMatchObject({ turn: 1, answer: 'done' })
    expect((await two.post('/query', { query: 'next' })).body.turn).toBe(2)
  })

  it('keep nothing of a turn whose session was taken over, and go on behind the other one', async () => {
    const schema = server.schema()
    const { model, asked, until } = gated()
    const stopped = await start(schema, { models: { answer: model } })
    const next = await start(schema)
    const late = stopped.post('/query', { query: 'We use MongoDB as our database.', session: 's' })
    await until(1)
    // As if that worker had stood still until its lock ran out.
    await expireHolds(schema)
    const first = await next.post('/query', { query: 'We use Postgres as our database.', session: 's' })
    expect(first.body).toMatchObject({ turn: 1, warnings: [] })
    asked[0]?.answer('too late')
    expect((await late).body.error?.code).toBe('session-taken')
    const again = stopped.post('/query', { query: 'Which one?', session: 's' })
    await until(2)
    expect(JSON.stringify(asked[1]?.call.messages)).not.toContain('MongoDB')
    asked[1]?.answer('Postgres')
    expect((await again).body).toMatchObject({ turn: 2, warnings: [] })
    expect((await next.post('/query', { query: 'Sure?', session: 's' })).body).toMatchObject({
      turn: 3,
      warnings: [],
    })
    const { body } = await next.get('/state?session=s')
    expect(body.turn).toBe(3)
  })

  it('notice nothing of one that takes their session out of its memory', async () => {
    const schema = server.schema()
    const { model, asked, until } = gated()
    const small = await start(schema, { limits: { loadedLimit: 1 } })
    const other = await start(schema, { models: { answer: model }, limits: { loadedLimit: 1 } })
    expect((await small.post('/query', { query: 'We use Postgres.', session: 's' })).body.turn).toBe(1)
    const live = other.post('/query', { query: 'We use Redis.', session: 's' })
    await until(1)
    expect((await small.post('/query', { query: 'Hello.', session: 't' })).body.turn).toBe(1)
    const refused = await other.post('/query', { query: 'Hello.', session: 'u' })
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service-busy'])
    asked[0]?.answer('noted')
    expect((await live).body).toMatchObject({ turn: 2, warnings: [] })
    const { body } = await small.post('/query', { query: 'And now?', session: 's' })
    expect(body).toMatchObject({ turn: 3, warnings: [] })
  })
})
