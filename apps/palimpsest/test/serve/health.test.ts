import type { Store } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { watchStore } from '../../src/serve/watch-store.ts'
import { startTestService } from './test-service.ts'

describe('the health of a store', () => {
  it('is told in time, and what changes is logged once', async () => {
    const log: string[] = []
    let answer: () => Promise<null> = async () => null
    let asked = 0
    const find = () => {
      asked++
      return answer()
    }
    const store = { kind: 'postgres', find } as unknown as Store
    const state = watchStore(store, 20, (line) => log.push(line))
    expect(await state()).toMatchObject({ kind: 'postgres', ok: true })
    const { promise, resolve } = Promise.withResolvers<null>()
    answer = () => promise
    for (let time = 0; time < 3; time++)
      expect(await state()).toMatchObject({ ok: false, code: 'STORE_SLOW' })
    // One that hangs is not asked again and again.
    expect(asked).toBe(2)
    resolve(null)
    expect(await state()).toMatchObject({ ok: true })
    answer = async () => {
      throw new Error('postgres://me:secret@db is away')
    }
    await state()
    await state()
    expect(log).toEqual([
      'error: the store: no answer in 20 ms',
      'palimpsest: the store answers again',
      expect.stringMatching(/^error: the store: .*db is away/),
    ])
    expect(log.join()).not.toContain('secret')
  })
})

describeWithPostgres('a service whose database is in a bad way', (server) => {
  const start = (schema: string, poolSize: number, connectTimeout = 10_000) => {
    const sizes = { schema, poolSize, connectTimeout, limits: { healthLimit: 300 } }
    return startTestService({ engine: 'decisions', store: server.url, ...sizes })
  }

  it('says so in time without a word of where it is, and is well again by itself', async () => {
    const schema = server.schema()
    const service = await start(schema, 4)
    expect((await service.get('/health')).body).toMatchObject({
      status: 'ok',
      durable: true,
      store: { kind: 'postgres', ok: true },
    })
    const client = await server.pool.connect()
    try {
      await client.query(`BEGIN; LOCK TABLE ${schema}.session`)
      const { status, body } = await service.get('/health')
      expect([status, body.status]).toEqual([503, 'degraded'])
      expect(body.reason).toBe('the store cannot be used (STORE_SLOW)')
      expect(JSON.stringify(body)).not.toMatch(/localhost|5432|host=/)
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
    await expect.poll(async () => (await service.get('/health')).status).toBe(200)
    expect((await service.post('/query', { query: 'here again' })).body.turn).toBe(1)
  })

  it('says that it is busy when no connection gets free, and keeps nothing of such a call', async () => {
    const schema = server.schema()
    const service = await start(schema, 1, 200)
    const client = await server.pool.connect()
    await client.query(`BEGIN; LOCK TABLE ${schema}.session`)
    const first = service.post('/query', { query: 'We use Postgres.', session: 'a' })
    const isWaiting = async () => {
      const { rows } = await client.query('SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted')
      return rows[0].n
    }
    await expect.poll(isWaiting).toBeGreaterThan(0)
    const second = await service.post('/query', { query: 'We use Redis.', session: 'b' })
    expect([second.status, second.body.error.code]).toEqual([503, 'store'])
    expect(second.body.error.message).toContain('STORE_BUSY')
    expect(second.headers.get('retry-after')).toBe('1')
    await client.query('ROLLBACK')
    client.release()
    expect((await first).body.turn).toBe(1)
    expect((await service.post('/query', { query: 'We use Redis.', session: 'b' })).body.turn).toBe(1)
  })
})
