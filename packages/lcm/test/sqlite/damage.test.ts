import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { STORE_FORMAT } from '../../src/sqlite/schema.ts'
import type { LcmStore, StoreFault } from '../../src/store/lcm-store.ts'
import { say, summarize, useFolders } from './store-folder.ts'

const { open, path: newPath } = useFolders()

/** A session with messages and two summaries, one of which condenses the other. */
async function fill(store: LcmStore): Promise<void> {
  const session = await store.session({ key: 'a' }, 1)
  await say(session, 'alpha bravo', 'charlie 漢字', 'naïve delta', 'echo foxtrot')
  const { nodes } = await summarize(session, 0, 1, 'about alpha')
  const [leaf] = nodes
  if (leaf === undefined) throw new Error('there is no leaf')
  const condensed = { ...leaf, number: 2, depth: 1, children: [1], text: 'about all of it' }
  await session.commit({ version: 1, create: [condensed], summaries: [2], reason: 'compaction', at: 1 })
}

/** Does to a store what nobody should, and returns what is wrong with it then. */
async function faultsAfter(change: string): Promise<{ store: LcmStore; faults: StoreFault[]; path: string }> {
  const path = newPath()
  const store = open(path)
  await fill(store)
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false })
  STORE_FORMAT.addFunctions?.(database)
  createSql(database)
  database.exec(change)
  database.close()
  return { store, faults: await store.check(), path }
}

const codesOf = (faults: readonly StoreFault[]) => [...new Set(faults.map(({ code }) => code))]

describe('check', () => {
  it('finds nothing in a store that is well', async () => {
    const { faults } = await faultsAfter('SELECT 1')
    expect(faults).toEqual([])
  })

  it.each([
    ['a deleted message', 'DELETE FROM message WHERE id % 4294967296 = 1', ['stale-index']],
    ['a deleted session', 'DELETE FROM session', ['dangling-reference', 'stray-row']],
  ])('tells of %s', async (_, change, codes) => {
    const { store, faults } = await faultsAfter(change)
    expect(codesOf(faults)).toEqual(expect.arrayContaining(codes))
    expect((await store.repair()).every(({ repairable }) => !repairable)).toBe(true)
  })

  it.each([
    [
      'a text that the indexes do not know',
      `UPDATE message SET json = '{"role":"user","content":"golf hotel"}' WHERE id % 4294967296 = 0`,
      'stale-index',
    ],
    ['a text of a summary that the index does not know', "UPDATE summary SET text = 'golf'", 'stale-index'],
    [
      'an emptied word index',
      "INSERT INTO message_words (message_words) VALUES ('delete-all')",
      'stale-index',
    ],
    [
      'an emptied index of substrings',
      "INSERT INTO message_trigrams (message_trigrams) VALUES ('delete-all')",
      'stale-index',
    ],
    [
      'an emptied index of characters',
      "INSERT INTO message_grams (message_grams) VALUES ('delete-all')",
      'stale-index',
    ],
    ['rows of an index that are gone', 'DELETE FROM message_words_data WHERE id > 10', 'stale-index'],
    ['a wrong mark of the script', 'UPDATE message SET script = 1 WHERE script = 2', 'wrong-script'],
  ])('tells of %s, and repair mends it', async (_, change, code) => {
    const { store, faults } = await faultsAfter(change)
    expect(codesOf(faults)).toContain(code)
    expect(faults.every(({ repairable }) => repairable)).toBe(true)
    expect(await store.repair()).toEqual([])
    const session = await store.find({ key: 'a' })
    const found = async (kind: 'word' | 'substring', text: string) =>
      (await session?.candidates({ where: [[{ kind, text }]], order: 'newest', limit: 9 }))?.map(
        ({ seq }) => seq,
      )
    expect(await found('substring', '漢字')).toEqual([1])
    expect(await found('word', 'foxtrot')).toEqual([3])
  })

  it('tells of a byte that changed in the structure of the file', async () => {
    const { store, path } = await faultsAfter('SELECT 1')
    await store.close()
    const bytes = readFileSync(path)
    // Bytes 16 and 17 of a file are the size of its pages, see https://www.sqlite.org/fileformat.html.
    const pageSize = bytes.readUInt16BE(16)
    let damaged = 0
    for (let page = pageSize; page < bytes.length; page += pageSize) {
      if (bytes[page] !== 13) continue
      // The number of cells of a page that holds rows.
      bytes[page + 4] = 0xff
      damaged++
    }
    expect(damaged).toBeGreaterThan(5)
    writeFileSync(path, bytes)
    const code = await open(path)
      .check()
      .then(codesOf, (error: { code: string }) => [error.code])
    expect(['damaged-file', 'STORE_CORRUPT']).toContain(code[0])
  })

  it('leaves a byte that changed in a text to its hash, and can still read the page that it is on', async () => {
    const { store } = await faultsAfter(
      "UPDATE message SET json = '[{' WHERE id % 4294967296 = 2; UPDATE message SET hash = X'00' WHERE id % 4294967296 = 3",
    )
    const session = await store.find({ key: 'a' })
    const messages = await session?.messages({ limit: 9 })
    expect(messages?.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
    expect(messages?.[2]?.json).toContain('[{')
  })
})
