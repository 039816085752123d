import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { storePlace } from '../../src/stores/find-store-place.ts'
import { databasePlace } from '../../src/stores/store-place.ts'
import { UsageError } from '../../src/usage-error.ts'

/** Not that of whoever runs the tests. */
const HOME = { PALIMPSEST_HOME: '/nowhere' }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-place-'))
})
afterEach(() => rm(folder, { recursive: true }))

const nameOf = (url: string, schema?: string) =>
  databasePlace({ url, ...(schema !== undefined && { schema }) }, '--store').name

describe('a place is called', () => {
  it.each([
    ['postgres://ann:s3cret@db.test:5433/talks', 'postgres://db.test:5433/talks'],
    ['postgresql://ann:p%40s%2F@db.test/talks?sslmode=verify-full', 'postgres://db.test/talks'],
    ['postgres://ann:p@s@db.test:5432/talks', 'postgres://db.test/talks'],
    [
      'postgres://db.test/talks?password=s3cret&host=other.test&port=5433',
      'postgres://other.test:5433/talks',
    ],
    ['postgres://ann@[::1]:5433/talks', 'postgres://[::1]:5433/talks'],
    // The folder of a socket.
    ['postgres://ann@/talks?host=/run/postgresql', 'postgres:///run/postgresql/talks'],
    ['postgres:///talks?host=/run/postgresql&port=5433', 'postgres:///run/postgresql:5433/talks'],
    ['postgres://ann@%2Frun%2Fpostgresql/talks', 'postgres:///run/postgresql/talks'],
    ['postgres://ann@/talks', 'postgres:///talks'],
    [' postgres://ann@db.test/talks\n', 'postgres://db.test/talks'],
  ])('%s', (url, name) => expect(nameOf(url)).toBe(name))

  it('with its schema when it has another one', () => {
    expect(nameOf('postgres://db.test/talks', 'palimpsest')).toBe('postgres://db.test/talks')
    expect(nameOf('postgres://db.test/talks', 'agents')).toBe('postgres://db.test/talks (schema agents)')
  })
})

describe('what is no address of a database is refused, and not repeated', () => {
  it.each([
    'postgres://ann:s3cret/x@db.test/talks',
    'postgres://ann:s3cret#x@db.test/talks',
    'postgres://ann:s3cret@db.test:none/talks',
    'postgres://ann:s3cret@db.test:99999/talks',
    'postgres://ann:s3cret@db.test/talks?port=none',
    'postgres://ann:s3cret@%zz/talks',
    'postgres://one:5432,two:5432/s3cret',
    'postgres:s3cret',
    'Postgres://ann:s3cret@db.test/talks',
    'mysql://ann:s3cret@db.test/talks',
    'jdbc:postgresql://ann:s3cret@db.test/talks',
    'https://s3cret.test',
  ])('%s', async (url) => {
    const configuration = await loadConfiguration(undefined, folder, HOME)
    const find = () => storePlace(configuration, url)
    expect(find).toThrow(UsageError)
    expect(find).toThrow(/^--store is not the address of a PostgreSQL database: write postgres:\/\/user/)
    expect(find).not.toThrow(/s3cret/)
  })
})

describe('the place of a store', () => {
  const find = async (text: string, environment: NodeJS.ProcessEnv, flag?: string) => {
    await writeFile(join(folder, 'config.yaml'), text)
    return storePlace(await loadConfiguration(undefined, folder, { ...HOME, ...environment }), flag)?.name
  }
  const BLOCK = 'store:\n  url: own.db\n'
  const ENVIRONMENT = { PALIMPSEST_STORE_URL: 'postgres://environment.test/talks\n' }

  it('is the flag, then the environment, then the block "store"', async () => {
    expect(await find(BLOCK, ENVIRONMENT, '/tmp/flag.db')).toBe('/tmp/flag.db')
    expect(await find(BLOCK, ENVIRONMENT, 'postgres://flag.test/talks')).toBe('postgres://flag.test/talks')
    expect(await find(BLOCK, ENVIRONMENT)).toBe('postgres://environment.test/talks')
    expect(await find('', { PALIMPSEST_STORE_URL: '/tmp/talks.db' })).toBe('/tmp/talks.db')
    expect(await find(BLOCK, { PALIMPSEST_STORE_URL: '' })).toBe(join(folder, 'own.db'))
    expect(await find('store:\n  url: postgres://block.test/talks\n', {})).toBe('postgres://block.test/talks')
    expect(await find('', {})).toBeUndefined()
  })

  it('is refused by the name of what says it', async () => {
    await expect(find('store:\n  url: "mysql://h/s3cret"\n', {})).rejects.toThrow(
      /^PALIMPSEST_STORE_URL or store\.url is not the address/,
    )
    await expect(find('store:\n  url: 5\n', {})).rejects.toThrow(/store\.url: expected string/)
    await mkdir(join(folder, 'sub'))
    await expect(find('store:\n  url: sub\n', {})).rejects.toThrow(/sub is a folder/)
  })
})
