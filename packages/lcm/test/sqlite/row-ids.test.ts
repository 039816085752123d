import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { codeOf, say, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

describe('row ids', () => {
  it('keep sessions apart whose numbers are the highest there are, and refuse one more', async () => {
    const path = newPath()
    const store = open(path)
    await say(await store.session({ key: 'first' }, 1), 'of the first')
    const database = new DatabaseSync(path)
    createSql(database).exec(
      `INSERT INTO session SELECT 2097150, principal, 'filler', created_at, last_at, NULL, 0, 1, 0, 1, 0, '[]', 0, 0,
         NULL, NULL, seal FROM session`,
    )
    database.close()
    const last = await store.session({ key: 'last' }, 1)
    await say(last, 'one of the last', 'another of the last')
    const where = [[{ kind: 'word', text: 'of' }]] as const
    const found = await last.candidates({ where, order: 'newest', limit: 9 })
    expect(found.map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'another of the last'],
      [0, 'one of the last'],
    ])
    expect(await codeOf(store.session({ key: 'one more' }, 1))).toBe('STORE_UNAVAILABLE')
    expect(await store.find({ key: 'one more' })).toBeNull()
  })

  it('take any bound and any limit', async () => {
    const session = await open(newPath()).session({ key: 'a' }, 1)
    await say(session, 'zero', 'one', 'two')
    const read = async (query: { first?: number; last?: number; limit: number }) =>
      (await session.messages(query)).map(({ seq }) => seq)
    const { NaN: none, POSITIVE_INFINITY: infinity } = Number
    expect(await read({ limit: infinity })).toEqual([0, 1, 2])
    expect(await read({ first: -infinity, last: infinity, limit: 2 })).toEqual([0, 1])
    expect(await read({ first: 0.5, last: 1.5, limit: 9 })).toEqual([1])
    expect(await read({ first: 2 ** 32, limit: 9 })).toEqual([])
    for (const limit of [0, -1, none]) expect(await read({ limit })).toEqual([])
    for (const bound of [{ first: none }, { last: none }])
      expect(await read({ ...bound, limit: 9 })).toEqual([])
    expect(await session.versions({ limit: infinity, before: infinity })).toHaveLength(1)
    expect(await session.summaries([0, 1, -1, 0.5, none, infinity])).toEqual([])
  })
})
