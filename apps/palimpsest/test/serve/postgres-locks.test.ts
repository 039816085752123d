import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionLocks } from '@palimpsest/gateway'
import { afterEach, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { openServeDatabase } from '../../src/serve/store/postgres/open-serve-database.ts'
import { createPostgresLocks } from '../../src/stores/postgres-locks.ts'
import { databasePlace } from '../../src/stores/store-place.ts'

describeWithPostgres('locks of sessions in a database', (server) => {
  let ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    ends = []
  })
  /** Two workers on one database, and the schema that they share. */
  const workers = async (time?: number): Promise<[SessionLocks, SessionLocks, string]> => {
    const schema = server.schema()
    const place = databasePlace({ url: server.url, schema, poolSize: 3 }, '--store')
    const start = async () => {
      const database = await openServeDatabase(place)
      const locks = createPostgresLocks(database, { principal: 'local', ...(time !== undefined && { time }) })
      ends.push(
        () => database.close(),
        () => locks.close(),
      )
      return locks
    }
    return [await start(), await start(), schema]
  }
  const never = new AbortController().signal

  it('are given to one at a time, by name, and the token grows', async () => {
    const [a, b] = await workers()
    const first = await a.take('s', never)
    expect(await b.tryTake('s')).toBeUndefined()
    const other = await b.tryTake('t')
    expect(other).toBeDefined()
    const waiting = b.take('s', never)
    await first.release()
    await first.release()
    expect((await waiting).token).toBe(first.token + 1)
    expect(await a.tryTake('s')).toBeUndefined()
  })

  it('are waited for no longer than the caller wants', async () => {
    const [a, b] = await workers()
    await a.take('s', never)
    await expect(b.take('s', AbortSignal.timeout(60))).rejects.toThrow(/timeout/)
    const reason = new Error('gone')
    await expect(b.take('t', AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await a.tryTake('t')).toBeDefined()
  })

  it('are not waited for by who is gone, however long the database takes, and are given back then', async () => {
    const [a, b, schema] = await workers()
    for (const locks of [a, b]) await (await locks.take('s', never)).release()
    const client = await server.pool.connect()
    await client.query(`BEGIN; LOCK TABLE ${schema}.serve_lock`)
    await expect(b.take('s', AbortSignal.timeout(60))).rejects.toThrow(/timeout/)
    await client.query('COMMIT')
    client.release()
    await (await a.take('s', AbortSignal.timeout(10_000))).release()
  })

  it('never let two in at once, however many want in', async () => {
    const [a, b] = await workers()
    let inside = 0
    let most = 0
    let passed = 0
    const pass = async (locks: SessionLocks): Promise<void> => {
      const lock = await locks.take('s', never)
      most = Math.max(most, ++inside)
      await sleep(2)
      inside--
      passed++
      await lock.release()
    }
    await Promise.all([a, b, a, b, a, b, a, b].map(pass))
    expect([most, passed]).toEqual([1, 8])
  })

  it('last as long as they are locked, and run out with the worker', async () => {
    const [a, b, schema] = await workers(1_200)
    const locked = await a.take('s', never)
    const endOf = async () => {
      const { rows } = await server.pool.query(`SELECT until FROM ${schema}.serve_lock`)
      return Number(rows[0].until)
    }
    const first = await endOf()
    await expect.poll(endOf).toBeGreaterThan(first)
    expect(locked.signal.aborted).toBe(false)
    // As if the worker had been stopped for a while.
    await server.pool.query(`UPDATE ${schema}.serve_lock SET until = now()`)
    const taken = await b.take('s', never)
    expect(taken.token).toBeGreaterThan(locked.token)
    await expect.poll(() => locked.signal.aborted).toBe(true)
    expect(locked.signal.reason).toMatchObject({ code: 'LOCK_TAKEN' })
    await locked.release()
    expect(await a.tryTake('s')).toBeUndefined()
  })

  it('are given back as soon as the database is there again', async () => {
    const [a, b, schema] = await workers()
    const locked = await a.take('s', never)
    await server.pool.query(`ALTER TABLE ${schema}.serve_lock RENAME TO gone`)
    await locked.release()
    await server.pool.query(`ALTER TABLE ${schema}.gone RENAME TO serve_lock`)
    expect((await b.take('s', AbortSignal.timeout(10_000))).token).toBe(locked.token + 1)
  })

  it('are lost when the database cannot be reached for as long as they last', async () => {
    const [a, , schema] = await workers(300)
    const locked = await a.take('s', never)
    await server.pool.query(`ALTER TABLE ${schema}.serve_lock RENAME TO gone`)
    await expect.poll(() => locked.signal.aborted).toBe(true)
    expect(locked.signal.reason).toMatchObject({ code: 'LOCK_LOST' })
    // Nobody hears of what cannot be given back.
    await locked.release()
  })
})
