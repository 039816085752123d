import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { RECORDS, useDecisionsFolder } from './decisions-folder.ts'

const { path, run, read, write, prints, json, decisions, refuses } = useDecisionsFolder()

beforeEach(() => write(RECORDS))

const importRecords = () => decisions('import', 'adr', '--project', 'shop')

/** What holds, and the rest. */
async function states(...flags: string[]): Promise<string[]> {
  const all: { slot: string; choice: string; status: string }[] = await json('list', '--all', ...flags)
  return all.map(({ slot, choice, status }) => `${slot}: ${choice} (${status})`)
}

const SHOP = [
  'datastore: PostgreSQL (superseded)',
  'datastore: MySQL (active)',
  'auth: JWT (active)',
  'queue: Kafka (proposed)',
]

describe('records that are imported', () => {
  it('are in the store with what they replaced, and what is no record is named', async () => {
    const { code, stdout, stderr } = await importRecords()
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'project:shop: 5 new events\n' })
    expect(stderr).toBe(
      'palimpsest: shop/README.md says nowhere what was chosen ("Chosen option: …" or a section "Decision")\n',
    )
    expect(await states()).toEqual(SHOP)
    expect(await prints('verify')).toBe('verified: 5 events, 4 messages, 4 sessions, no fault\n')
  })

  it('add nothing the second time', async () => {
    await importRecords()
    const { stdout } = await importRecords()
    expect(stdout).toBe('project:shop: nothing new, 5 events known\n')
    expect(await states()).toEqual(SHOP)
  })

  it('that were edited since take the place of what they said', async () => {
    await importRecords()
    const name = 'adr/0002-store.md'
    await write({ [name]: (await read(name)).replace('MySQL', 'MariaDB').replace('Another', 'Yet another') })
    await importRecords()
    expect((await states()).toSorted()).toEqual(
      [
        'auth: JWT (active)',
        'datastore: MariaDB (active)',
        'datastore: PostgreSQL (superseded)',
        'queue: Kafka (proposed)',
      ].toSorted(),
    )
    expect((await run('verify', '--store', 'store.db')).code).toBe(0)
  })

  it('of two projects do not get in the way of each other', async () => {
    await importRecords()
    await prints('import', 'adr/0003-auth.md', '--project', 'other')
    await prints('import', 'adr/0003-auth.md', '--session', 's1')
    expect(await states('--project', 'other')).toEqual(['auth: JWT (active)'])
    expect(await states('--session', 's1')).toEqual(['auth: JWT (active)'])
    expect(await states('--project', 'shop')).toEqual(SHOP)
  })

  it('must be told where they hold', async () => {
    await refuses(
      /say where the records hold: --project <name>, or --session <id>/,
      'import',
      'adr',
      '--store',
      's.db',
    )
    expect(existsSync(path('s.db'))).toBe(false)
  })
})

describe('an export of one store', () => {
  beforeEach(async () => {
    await importRecords()
  })

  it('makes another one with the same decisions, and imports as nothing the second time', async () => {
    await write({ 'shop.json': await prints('export') })
    const copy = ['--store', 'copy.db']
    expect((await run('import', 'shop.json', ...copy)).stdout).toBe('project:shop: 5 new events\n')
    expect((await run('import', 'shop.json', ...copy)).stdout).toBe(
      'project:shop: nothing new, 5 events known\n',
    )
    expect((await run('export', ...copy)).stdout).toBe(await read('shop.json'))
    expect((await run('verify', ...copy)).stdout).toMatch(/^verified: 5 events/)
  })

  it('holds in another project when it is told to', async () => {
    await write({ 'shop.json': await prints('export') })
    expect(await prints('import', 'shop.json', '--project', 'copy')).toBe('project:copy: 5 new events\n')
    expect(await states('--project', 'copy')).toEqual(SHOP)
    expect(await prints('import', 'shop.json', '--project', 'copy')).toMatch(/nothing new/)
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it('is refused whole when it was changed, and no store is made', async () => {
    await write({ 'bad.json': (await prints('export')).replace('"choice":"MySQL"', '"choice":"Oracle"') })
    await refuses(
      /changed or damaged since it was written.*take another copy/,
      'import',
      'bad.json',
      '--store',
      'new.db',
    )
    expect(existsSync(path('new.db'))).toBe(false)
  })
})

describe('what cannot be imported', () => {
  it.each([
    ['a file that is not there', 'nowhere.json', {}, /there is no file nowhere\.json/],
    ['other JSON', 'x.json', { 'x.json': '{"name":"x"}' }, /no export of decisions/],
    ['half of JSON', 'x.json', { 'x.json': '{"name":' }, /no JSON/],
    ['an empty file', 'x.md', { 'x.md': '' }, /no record of a decision was found: shop\/x\.md says nowhere/],
    ['a binary file', 'x.md', { 'x.md': '# A\0' }, /no record of a decision was found: .* is no text/],
    ['a folder without records', 'empty', { 'empty/x.txt': 'x' }, /empty has no records in it/],
  ])('%s: one line, exit code 2', async (_name, input, files, pattern) => {
    await write(files)
    await refuses(pattern, 'import', input, '--store', 'store.db', '--project', 'shop')
  })
})
