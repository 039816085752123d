import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSqliteStore } from '@palimpsest/store'
import { afterAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

async function filledStore(): Promise<string> {
  const path = join(root, `${count++}.db`)
  const store = createSqliteStore({ path })
  const session = await store.session({ key: 'a' }, 1)
  const messages = Array.from({ length: 6 }, (_, index) => ({
    message: { role: 'user', content: `message ${index}` } as const,
    tokens: 3,
  }))
  await session.append({ nextSeq: 0, messages, at: 1, jobs: [{ id: 'j', kind: 'read', body: 'work' }] })
  const about = {
    depth: 0,
    children: [],
    tokens: 1,
    sourceTokens: 1,
    writer: 'model',
    at: 1,
    from: 1,
    to: 1,
  } as const
  const create = [
    { ...about, number: 1, first: 0, last: 1, messages: 2, text: 'one' },
    { ...about, number: 2, first: 2, last: 3, messages: 2, text: 'two' },
  ]
  await session.commit({ version: 0, create, summaries: [1, 2], reason: 'compaction', at: 1 })
  await session.record({ scope: 's', events: [{ id: 'e', body: 'event' }] })
  await session.saveState('last', 'state')
  await session.forget({ first: 5, last: 5, at: 1, reason: 'private' })
  await store.close()
  return path
}

/** All that a store gives out of its contents, as text. */
async function given(path: string): Promise<string> {
  const store = createSqliteStore({ path })
  try {
    const session = await store.find({ key: 'a' })
    if (session === null) return 'gone'
    const all = [
      (await session.messages()).map(({ message }) => message),
      await session.summaries([1, 2]),
      await session.candidates('messages', { where: [], limit: 9 }),
      await session.candidates('summaries', { where: [], limit: 9 }),
      await session.frontier(),
      ...[await session.events({ scopes: ['s'] }), await session.jobs(), await session.state('last')],
    ]
    return JSON.stringify(all)
  } catch (error) {
    return String((error as { code?: unknown }).code)
  } finally {
    await store.close()
  }
}

const COLUMNS = [
  ['message', 'body'],
  ['message', 'role'],
  ['message', 'checksum'],
  ['message', 'forgotten'],
  ['summary', 'body'],
  ['frontier', 'summaries'],
  ['session', 'checksum'],
  ['event', 'body'],
  ['job', 'body'],
  ['state', 'body'],
] as const

it('serves no row in which a letter was changed, and names it', async () => {
  let changes = 0
  for (const [table, column] of COLUMNS)
    for (const place of [1, 3, 5]) {
      const path = await filledStore()
      const database = new DatabaseSync(path)
      const query = `SELECT rowid AS row, ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`
      const { row, value } = database.prepare(query).get() as { row: number; value: string }
      const changed = `${value.slice(0, place)}${value[place] === 'x' ? 'y' : 'x'}${value.slice(place + 1)}`
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(changed, row)
      database.close()
      expect(await given(path), `${table}.${column}`).not.toContain(changed)
      const store = createSqliteStore({ path })
      const codes = (await store.verify()).map(({ code }) => code)
      expect(codes, `${table}.${column}`).toContain('changed-row')
      await store.close()
      changes++
    }
  console.log(`${changes} letters changed, none served, all named`)
})

describe('a file that is no store', () => {
  it.each([
    [
      'text',
      'a text that is long enough to be read as a header of SQLite, which it is not: '.repeat(20),
      'NOT_A_STORE',
    ],
    ['another database', null, 'NOT_A_STORE'],
  ])('is refused and left as it is: %s', async (name, content, code) => {
    const path = join(root, `${name}.db`)
    if (content === null) {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE other (x)')
      database.close()
    } else writeFileSync(path, content)
    const { size } = statSync(path)
    await expect(createSqliteStore({ path }).list({ limit: 1 })).rejects.toMatchObject({ code })
    expect(statSync(path).size).toBe(size)
  })

  it('is not made for who only looks', async () => {
    const path = join(root, 'absent.db')
    for (const options of [{ readOnly: true }, { create: false }])
      await expect(createSqliteStore({ path, ...options }).list({ limit: 1 })).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      })
  })

  it('is one of a newer version', async () => {
    const path = await filledStore()
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    await expect(createSqliteStore({ path }).list({ limit: 1 })).rejects.toMatchObject({
      code: 'STORE_TOO_NEW',
    })
  })
})

it('is readable by its owner only, and reads without writing', async () => {
  const path = await filledStore()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o400)
  const store = createSqliteStore({ path, readOnly: true })
  const session = await store.find({ key: 'a' })
  expect(await session?.messages()).toHaveLength(6)
  await expect(session?.saveState('x', 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await store.close()
})
