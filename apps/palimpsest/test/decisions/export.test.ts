import { readdir, stat } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { RECORDS, useDecisionsFolder } from './decisions-folder.ts'

const { path, run, read, write, prints, json, decisions, refuses } = useDecisionsFolder()

beforeEach(async () => {
  await write(RECORDS)
  await decisions('import', 'adr', '--project', 'shop')
})

const exportRecords = (...flags: string[]) =>
  decisions('export', '--format', 'madr', '--out', 'out', ...flags)

describe('records of a project', () => {
  it('are written into a folder, and can be imported again as the same decisions', async () => {
    const { code, stdout } = await exportRecords()
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/out: 3 records of project:shop: 3 new, 0 replaced, 0 unchanged\n$/),
    })
    expect((await readdir(path('out'))).toSorted()).toEqual([
      '0001-store-of-orders-postgresql.md',
      '0002-another-store-of-orders-mysql.md',
      '0003-sign-in-jwt.md',
    ])
    await run('import', 'out', '--store', 'copy.db', '--project', 'shop')
    const list = async (store: string) =>
      JSON.parse((await run('list', '--all', '--json', '--store', store)).stdout).map(
        ({ slot, choice, status }: Record<string, string>) => `${slot}: ${choice} ${status}`,
      )
    expect(await list('copy.db')).toEqual(
      (await list('store.db')).filter((line: string) => !line.includes('Kafka')),
    )
  })

  it('are left alone when nothing is new, and keep their names when something is', async () => {
    await exportRecords()
    expect((await exportRecords()).stdout).toMatch(/0 new, 0 replaced, 3 unchanged/)
    expect((await exportRecords('--all')).stdout).toMatch(/4 records .*: 1 new, 0 replaced, 3 unchanged/)
  })

  it('that somebody has edited are not replaced, and nothing is written then', async () => {
    await exportRecords()
    const name = 'out/0003-sign-in-jwt.md'
    const edited = `${await read(name)}\nAsk the security team.\n`
    await write({ [name]: edited })
    await refuses(
      /1 file that this program did not write, or that were edited \(0003-sign-in-jwt\.md\); import them first, or replace them with --force/,
      ...['export', '--store', 'store.db', '--format', 'madr', '--out', 'out', '--all'],
    )
    expect(await read(name)).toBe(edited)
    expect(await readdir(path('out'))).toHaveLength(3)
    await exportRecords('--force')
    expect(await read(name)).not.toBe(edited)
  })

  it('are not written for what a person has a record of in that folder, and link to it', async () => {
    const before = await Promise.all(Object.keys(RECORDS).map(read))
    await write({ 'more/0001-cache.md': '# Cache\n\n## Decision Outcome\n\nChosen option: "Redis".\n' })
    await decisions('import', 'more', '--project', 'shop')
    expect(await prints('export', '--format', 'madr', '--out', 'adr')).toMatch(
      /adr: 4 records of project:shop: 1 new, 0 replaced, 3 unchanged\n$/,
    )
    expect((await readdir(path('adr'))).toSorted()).toEqual([
      ...[
        '0001-store.md',
        '0002-store.md',
        '0003-auth.md',
        '0004-queue.md',
        '0005-cache-redis.md',
        'README.md',
      ],
    ])
    expect(await Promise.all(Object.keys(RECORDS).map(read))).toEqual(before)
  })
})

describe('the log of a project', () => {
  it('goes to standard output or into a file, which is not replaced unless that is said', async () => {
    const text = await prints('export')
    expect(await prints('export', '--out', 'shop.json')).toMatch(/shop\.json: 5 events of project:shop\n$/)
    expect(await read('shop.json')).toBe(text)
    const args = ['export', '--store', 'store.db', '--out', 'shop.json']
    await refuses(/shop\.json is there already; --force replaces it/, ...args)
    await write({ 'shop.json': 'mine' })
    await prints('export', '--out', 'shop.json', '--force')
    expect(await read('shop.json')).toBe(text)
    expect(await json('export', '--out', 'other.json')).toEqual({
      file: 'other.json',
      scope: 'project:shop',
      events: 5,
    })
  })

  it('is never written over the store', async () => {
    const { size } = await stat(path('store.db'))
    const args = ['export', '--store', 'store.db', '--out', 'store.db', '--force']
    expect((await run(...args)).code).toBe(2)
    expect((await stat(path('store.db'))).size).toBe(size)
  })
})

describe('an export that was asked for wrongly', () => {
  it.each([
    ['records without a folder', ['--format', 'madr'], /name the folder for the records: --out <folder>/],
    ['records into a file', ['--format', 'madr', '--out', 'store.db'], /is a file; name a folder/],
    ['all of JSON', ['--all'], /--all is for --format madr/],
    ['JSON of JSON', ['--json'], /use --json with --out <file>/],
    ['of an unknown project', ['--project', 'x'], /no decisions of project:x; there are: project:shop/],
    ['of two scopes', ['--project', 'x', '--session', 'y'], /cannot be used with/],
    ['in an unknown format', ['--format', 'xml'], /Allowed choices are json, madr/],
  ])('%s', async (_name, flags, pattern) => {
    await refuses(pattern, 'export', '--store', 'store.db', ...flags)
  })

  it('when there are several', async () => {
    await prints('import', 'adr/0003-auth.md', '--project', 'other')
    await refuses(
      /name the scope with --project or --session; there are: project:shop, project:other/,
      ...['export', '--store', 'store.db'],
    )
  })
})
