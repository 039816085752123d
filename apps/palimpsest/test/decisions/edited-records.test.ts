import { readdir } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { RECORDS, useDecisionsFolder } from './decisions-folder.ts'

const { run, path, read, write, prints, json } = useDecisionsFolder()

const exportRecords = (...flags: string[]) => prints('export', '--format', 'madr', '--out', 'out', ...flags)
const importRecords = (input = 'out') => prints('import', input, '--project', 'shop')

/** What holds and what held, with what stands against it. */
async function states(): Promise<string[]> {
  const all: { l0: string; choice: string; status: string; contestedBy: string[] }[] = await json(
    'list',
    '--all',
  )
  return all
    .filter(({ status }) => status !== 'proposed')
    .map(
      ({ l0, choice, status, contestedBy }) =>
        `${choice}: ${status}${contestedBy.length > 0 ? ', contested' : ''} (${l0})`,
    )
}

const MYSQL = 'out/0002-another-store-of-orders-mysql.md'
const edit = async (name: string, from: string, to: string) =>
  write({ [name]: (await read(name)).replace(from, to) })

/** Decisions of a project, of which no record is known, as records in a folder. */
beforeEach(async () => {
  await write(RECORDS)
  await run('import', 'adr', '--store', 'first.db', '--project', 'shop')
  const { stdout } = await run('export', '--store', 'first.db')
  await write({ 'shop.json': stdout })
  await prints('import', 'shop.json')
  await exportRecords()
})

describe('records that were exported', () => {
  it('say nothing new where they came from', async () => {
    expect(await importRecords()).toBe('project:shop: nothing new, 3 records as exported\n')
    expect(await json('import', 'out', '--project', 'shop')).toMatchObject({ added: 0, unchanged: 3 })
    expect(await prints('verify')).toMatch(/^verified: 5 events, 0 messages/)
  })

  it('supersede what they said when somebody edits them, and the next export knows them', async () => {
    await edit(MYSQL, 'Chosen option: "MySQL"', 'Chosen option: "MariaDB"')
    expect(await importRecords()).toMatch(/^project:shop: 2 new events, 2 records as exported\n$/)
    expect(await states()).toEqual([
      'PostgreSQL: superseded (Store of orders: PostgreSQL)',
      'MySQL: superseded (Another store of orders: MySQL)',
      'JWT: active (Sign in: JWT)',
      'MariaDB: active (datastore: MariaDB)',
    ])
    const edited = await read(MYSQL)
    expect(await exportRecords()).toMatch(/4 records of project:shop: 1 new, \d replaced/)
    expect(await read(MYSQL)).toBe(edited)
    expect((await readdir(path('out'))).toSorted()).toEqual([
      '0001-store-of-orders-postgresql.md',
      '0002-another-store-of-orders-mysql.md',
      '0003-sign-in-jwt.md',
      '0004-another-store-of-orders-mysql.md',
    ])
    expect(await read('out/0004-another-store-of-orders-mysql.md')).toMatch(
      /^---\nstatus: superseded by ADR-0002\n/,
    )
    expect(await importRecords()).toMatch(/nothing new/)
    expect(await exportRecords()).toMatch(/0 new, 0 replaced, 4 unchanged/)
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it('may be edited again, and back', async () => {
    const before = await read(MYSQL)
    for (const value of ['MariaDB', 'CockroachDB']) {
      await write({ [MYSQL]: before.replace('Chosen option: "MySQL"', `Chosen option: "${value}"`) })
      await importRecords()
      expect((await states()).filter((line) => line.includes(': active'))).toEqual([
        'JWT: active (Sign in: JWT)',
        `${value}: active (datastore: ${value})`,
      ])
    }
    await write({ [MYSQL]: before })
    await importRecords()
    expect((await states()).filter((line) => line.includes(': active')).toSorted()).toEqual([
      'JWT: active (Sign in: JWT)',
      'MySQL: active (Another store of orders: MySQL)',
    ])
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it('are in the way of an export again when they were edited since the import', async () => {
    await edit(MYSQL, 'Chosen option: "MySQL"', 'Chosen option: "MariaDB"')
    await importRecords()
    await edit(MYSQL, 'Chosen option: "MariaDB"', 'Chosen option: "CockroachDB"')
    const { code, stderr } = await run('export', '--store', 'store.db', '--format', 'madr', '--out', 'out')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/edited \(0002-.*import them first/),
    })
  })

  it('link to others that are in the store when one is imported alone', async () => {
    await edit(MYSQL, 'Chosen option: "MySQL"', 'Chosen option: "MariaDB"')
    expect(await importRecords(MYSQL)).toBe('project:shop: 2 new events\n')
    expect(await states()).toContain('MariaDB: active (datastore: MariaDB)')
  })

  it('keep the place that they have when only their text was edited', async () => {
    await edit(MYSQL, '## Considered Options', 'Ask the operators.\n\n## Considered Options')
    expect(await importRecords()).toMatch(/1 new event,/)
    expect(await exportRecords()).toMatch(/0 new, 0 replaced, 3 unchanged/)
    expect(await read(MYSQL)).toContain('Ask the operators.')
  })
})

it('a record that a person wrote links to what was imported before, also when it comes alone', async () => {
  await run('import', 'adr/0001-store.md', '--store', 'store.db', '--project', 'shop')
  const record = (await read('adr/0002-store.md')).replace(
    'status: accepted',
    'status: accepted\nsupersedes: ADR-0001',
  )
  await write({
    'adr/0002-store.md': `${record}\n## More Information\n\n* Supersedes [ADR-0001](0001-store.md)\n`,
  })
  expect((await run('import', 'adr/0002-store.md', '--store', 'store.db', '--project', 'shop')).stderr).toBe(
    '',
  )
})
