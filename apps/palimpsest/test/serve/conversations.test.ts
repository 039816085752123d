import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OFFLINE_NOTICE } from '../../src/serve/models/offline-answerer.ts'
import { filePlace } from '../../src/stores/store-place.ts'
import { readStore, textsIn } from './read-store.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { scripted, startTestService, words } from './test-service.ts'

/** A model that answers when it is told to. */
function gated() {
  const waiting: { readonly text: string; answer(): void; fail(error: Error): void }[] = []
  const model = scripted(
    ({ messages }) =>
      new Promise((resolve, reject) => {
        const text = String(messages.at(-1)?.content)
        waiting.push({ text, answer: () => resolve(words(`re: ${text}`)), fail: reject })
      }),
  )
  const until = async (count: number) => {
    while (waiting.length < count) await wait(2)
  }
  return { model, waiting, until }
}

describe('calls at the same time', () => {
  it('are answered one after the other within a session, and at once in different ones', async () => {
    const { model, waiting, until } = gated()
    const service = await startTestService({ models: { answer: model } })
    const first = service.post('/query', { query: 'one', session: 'a' })
    await until(1)
    const second = service.post('/query', { query: 'two', session: 'a' })
    const other = service.post('/query', { query: 'three', session: 'b' })
    await until(2)
    expect(waiting.map(({ text }) => text)).toEqual(['one', 'three'])
    waiting[1]?.answer()
    expect((await other).body).toMatchObject({ session: 'b', turn: 1 })
    waiting[0]?.answer()
    expect((await first).body.turn).toBe(1)
    await until(3)
    waiting[2]?.answer()
    expect((await second).body).toMatchObject({ answer: 're: two', turn: 2 })
  })

  it('are 200 conversations, more than the memory holds: each is whole, and no word of another one is in it', async () => {
    const folder = await temporaryFolder()
    const store = join(folder, 'serve.db')
    const service = await startTestService({ engine: 'lcm', store })
    const ask = async (session: string, turn: number): Promise<void> => {
      const query = `the code word of ${session} is word${session}x${turn}`
      const { status, body } = await service.post('/query', {
        query,
        session,
        requestId: `${session}-${turn}`,
      })
      // All that are in memory were busy.
      if (status === 503) return wait(100).then(() => ask(session, turn))
      expect([status, body.turn, body.answer]).toEqual([200, turn, `You said: ${query}`])
    }
    const talk = async (session: string) => {
      for (let turn = 1; turn <= 2; turn++) await ask(session, turn)
    }
    const sessions = Array.from({ length: 200 }, (_, number) => `s${number}`)
    await Promise.all(sessions.map(talk))
    await service.close()
    await readStore(filePlace(store), async (kept) => {
      expect(await kept.verify()).toEqual([])
      for (const session of sessions) {
        const texts = await textsIn(kept, session)
        expect(texts).toHaveLength(4)
        expect(new Set(texts.join().match(/word(s\d+)x/g))).toEqual(new Set([`word${session}x`]))
      }
    })
  })

  it('are refused when too many of one session wait, with the time to come back', async () => {
    const { model, waiting, until } = gated()
    const service = await startTestService({ models: { answer: model }, limits: { queueLimit: 3 } })
    const calls = [1, 2, 3, 4].map((call) => service.post('/query', { query: `${call}` }))
    const refused = await Promise.race(calls)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'session-busy'])
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await service.get('/health')).status).toBe(200)
    for (let call = 1; call <= 3; call++) {
      await until(call)
      waiting[call - 1]?.answer()
    }
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 200, 429])
    expect((await service.get('/state')).body.turn).toBe(3)
  })
})

describe('a turn that fails', () => {
  it.each(['compressor', 'lcm', 'decisions'])(
    'is not kept when it takes too long, whatever the model does later (%s)',
    async (engine) => {
      const { model, waiting, until } = gated()
      const service = await startTestService({
        engine,
        models: { answer: model },
        // Enough to come to the model on a busy machine.
        limits: { timeLimit: 2_000 },
      })
      const slow = service.post('/query', { query: 'slow' })
      await until(1)
      const queued = service.post('/query', { query: 'queued behind it' })
      expect((await slow).body.error.code).toBe('time-limit')
      expect((await queued).status).toBe(504)
      for (const { answer } of waiting) answer()
      const asked = waiting.length
      const next = service.post('/query', { query: 'next' })
      await until(asked + 1)
      waiting.at(-1)?.answer()
      expect((await next).body).toMatchObject({ answer: 're: next', turn: 1 })
      expect((await service.get('/state')).body.turn).toBe(1)
    },
  )
})

describe('a request with an id', () => {
  it('is answered once, from the record when it comes again', async () => {
    let calls = 0
    const service = await startTestService({ models: { answer: scripted(() => words(`answer ${++calls}`)) } })
    const ask = { query: 'how many?', requestId: 'r-1' }
    const first = await service.post('/query', ask)
    const again = await service.post('/query', ask)
    expect(first.body).toMatchObject({ answer: 'answer 1', turn: 1 })
    expect(again.body).toEqual({ ...first.body, repeated: true })
    expect(calls).toBe(1)

    const other = await service.post('/query', { ...ask, query: 'something else' })
    expect([other.status, other.body.error.path]).toEqual([409, 'requestId'])
    const elsewhere = await service.post('/query', { ...ask, session: 'other' })
    expect(elsewhere.body).toMatchObject({ answer: 'answer 2', turn: 1 })
  })

  it('runs once when it comes twice at the same time', async () => {
    const { model, waiting, until } = gated()
    const service = await startTestService({ models: { answer: model } })
    const both = [1, 2].map(() => service.post('/query', { query: 'q', requestId: 'same' }))
    await until(1)
    waiting[0]?.answer()
    const bodies = (await Promise.all(both)).map(({ body }) => body)
    expect(bodies.map(({ turn }) => turn)).toEqual([1, 1])
    expect(bodies.filter(({ repeated }) => repeated)).toHaveLength(1)
    expect(waiting).toHaveLength(1)
  })
})

describe('the memory', () => {
  it.each(['compressor', 'lcm', 'decisions'])(
    'holds few conversations at once, and each goes on when it is asked again (%s)',
    async (engine) => {
      const answer = scripted(({ messages }) =>
        words(`${messages.filter(({ role }) => role === 'user').length}`),
      )
      const service = await startTestService({ engine, models: { answer }, limits: { loadedLimit: 2 } })
      for (let round = 1; round <= 3; round++)
        for (const session of ['a', 'b', 'c', 'd'])
          expect((await service.post('/query', { query: `${round}`, session })).body).toMatchObject({
            turn: round,
            answer: `${round}`,
          })
      expect((await service.get('/health')).body.loaded).toBe(2)
    },
  )
})

describe('closing', () => {
  it('finishes what is being answered, refuses what comes, and loses nothing', async () => {
    const { model, waiting, until } = gated()
    const service = await startTestService({ models: { answer: model } })
    const running = service.post('/query', { query: 'last words' })
    await until(1)
    const closed = service.close()
    waiting[0]?.answer()
    expect((await running).body).toMatchObject({ answer: 're: last words', turn: 1 })
    await closed
    await expect(fetch(`${service.url}/health`)).rejects.toThrow()
  })

  it('ends what does not finish in time', async () => {
    const { model, until } = gated()
    const service = await startTestService({ models: { answer: model }, limits: { shutdownLimit: 50 } })
    const running = service.post('/query', { query: 'forever' })
    await until(1)
    const closed = service.close()
    expect((await running).body.error.code).toBe('shutting-down')
    await closed
  })
})

it('is offline without a model, and says so', async () => {
  const service = await startTestService({ models: {} })
  await service.post('/query', { query: 'We decided to use Postgres as the datastore.' })
  const { body } = await service.post('/query', { query: 'Which datastore did we choose?' })
  expect(body).toMatchObject({ offline: true, notice: OFFLINE_NOTICE, usage: null })
  expect(body.answer).toContain('> We decided to use Postgres as the datastore.')
  expect((await service.get('/costs')).body.total).toMatchObject({ calls: 0, usd: 0 })
  expect((await service.get('/health')).body.offline).toBe(true)
})
