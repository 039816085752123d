import { expect, it } from 'vitest'
import { sharePool } from '../../src/stores/open-in-database.ts'
import { databasePlace } from '../../src/stores/store-place.ts'

const place = (url: string) => databasePlace({ url, schema: 'agents', poolSize: 3 }, '--store')
const TALKS = place('postgres://db.test/talks')

/** Makes pools that connect to nothing, and says when one of them ends. */
async function fakePools() {
  const { createPostgresPool } = await import('@palimpsest/postgres')
  const ended: string[] = []
  const create: typeof createPostgresPool = (options) => {
    const pool = createPostgresPool(options)
    pool.end = async () => void ended.push(options.url)
    return pool
  }
  return { create, ended }
}

it('stores in one database share a pool, which ends with the last of them, once', async () => {
  const { create, ended } = await fakePools()
  const [first, second] = [sharePool(TALKS, create), sharePool(TALKS, create)]
  const other = sharePool(place('postgres://db.test/other'), create)
  expect(second.options).toEqual({ schema: 'agents', pool: first.options.pool })
  expect(other.options.pool).not.toBe(first.options.pool)
  await first.release()
  await first.release()
  expect(ended).toEqual([])
  await second.release()
  expect(ended).toEqual(['postgres://db.test/talks'])
  await other.release()
})

it('who comes when it is ending gets a new one', async () => {
  const { create } = await fakePools()
  const first = sharePool(TALKS, create)
  const ending = first.release()
  const second = sharePool(TALKS, create)
  await ending
  expect(second.options.pool).not.toBe(first.options.pool)
  await second.release()
})
