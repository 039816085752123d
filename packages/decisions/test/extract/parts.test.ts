import { describe, expect, it } from 'vitest'
import { partOf } from '../../src/extract/parts.ts'
import { normalArea } from '../../src/log/normal-text.ts'
import { read } from './read.ts'

describe('a part of the project that is named', () => {
  it.each([
    ['The attempts of the voucher import is 500.', 'setting:attempts: 500 (voucher import)'],
    ['Set the attempts of the voucher import to 500.', 'setting:attempts: 500 (voucher import)'],
    ['For the voucher import I want a lease of 417 seconds.', 'setting:lease: 417 seconds (voucher import)'],
    ['voucher import: lease 417 seconds.', 'setting:lease: 417 seconds (voucher import)'],
    ['The lease of the tenant lookup is 417 seconds.', 'setting:lease: 417 seconds (tenant lookup)'],
    ['A deadline of 417 ms for the photo gallery, please.', 'setting:deadline: 417 ms (photo gallery)'],
    ['In the photo gallery, the page length is 40 rows.', 'setting:page-length: 40 rows (photo gallery)'],
    ['The tolerance of the price sync is 4917 cents.', 'setting:tolerance: 4917 cents (price sync)'],
    ['The photo gallery uses MySQL for its public endpoints.', 'datastore: MySQL (photo gallery)'],
    ['The price sync stores its rows in SQLite.', 'datastore: SQLite (price sync)'],
    ['The photo gallery needs Redis for its thumbnails.', 'cache: Redis (photo gallery)'],
    ['For the lookups of the photo gallery we go with Redis.', 'cache: Redis (photo gallery)'],
    ["Let's use Redis for the lookups of the photo gallery.", 'cache: Redis (photo gallery)'],
    ['In the photo gallery, use Redis for its lookups.', 'cache: Redis (photo gallery)'],
    ['Put the test data of the price sync into `tests/a/b`.', 'location:test-data: tests/a/b (price sync)'],
    ['Test data of the price sync belongs in `tests/a/b`.', 'location:test-data: tests/a/b (price sync)'],
    ['Name the carrier `a_b` everywhere in the price sync.', 'name:carrier: a_b (price sync)'],
    [
      'The parameter of the price sync that holds the carrier is called `a_b`.',
      'name:carrier: a_b (price sync)',
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual([expected])
  })

  it.each([
    ['the size of the buffer', 'set the size of the buffer to 40'],
    ['a technology', 'the cache of the Postgres is fine'],
    ['a slot', 'in the frontend, use React'],
    ['code', 'the name of the function is long, the body of the function too'],
    ['the whole', 'for the project we use pnpm'],
    ['two subjects', 'the importer uses Redis and the exporter uses Kafka'],
  ])('is not %s', (_, text) => {
    expect(partOf(text)).toBeUndefined()
  })

  it.each([
    'We use Redis for fridays 🎉',
    "Let's use Redis for caching 🎉",
    'We store sessions in Redis.',
    'The app uses PostgreSQL for its data.',
  ])('is none in: %s', (text) => {
    expect(read(text).join()).not.toMatch(/\(/)
    expect(read(text)).toHaveLength(1)
  })

  it('is the same with an article and without', () => {
    const part = partOf('the retries of the Voucher Import is 5')
    expect(part?.name).toBe(normalArea('the voucher import'))
  })
})
