import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import type { DecisionStore } from '../../src/store/decision-store.ts'
import { asserted, message, messages, PROJECT, talk } from '../../src/store-tests/talk.ts'
import { codeOf, useFolders } from './store-folder.ts'

const { open, path: newPath, folder } = useFolders()

async function fill(store: DecisionStore): Promise<void> {
  const session = await talk(store, 'a', 'hello', 'world')
  await session.commit({ events: [asserted('a', message(0, 'hello'))] }, 1)
}

/** Another hand in the file. */
function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  createSql(database).exec(statement)
  database.close()
}

describe('the file of a store of decisions', () => {
  it('has a name', () => {
    expect(() => createSqliteDecisionStore({ path: '' })).toThrow('needs a file')
  })

  it('is readable by nobody else, with its log and its shared memory, whatever the umask is', async () => {
    const umask = process.umask(0)
    try {
      const path = newPath()
      await fill(open(path))
      const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777)
      expect(modes).toEqual([0o600, 0o600, 0o600])
    } finally {
      process.umask(umask)
    }
  })

  it('says whose it is, in which version, and logs ahead', async () => {
    const path = newPath()
    await open(path).list()
    const database = new DatabaseSync(path)
    const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(read('journal_mode')).toBe('wal')
    expect(read('application_id')).toBe(0x44454374)
    expect(read('user_version')).toBe(1)
    database.close()
  })

  it('is made by the first call, and not by who only looks for one', async () => {
    const path = newPath()
    for (const options of [{ readOnly: true }, { create: false }]) {
      const store = createSqliteDecisionStore({ path, ...options })
      expect(await codeOf(store.list())).toBe('STORE_UNAVAILABLE')
      expect(existsSync(path)).toBe(false)
      await store.close()
    }
    await expect(open(join(folder(), 'missing', 'x.db')).list()).rejects.toThrow(/make it first/)
  })

  it('is left alone when it is something else, a store of other things too', async () => {
    const foreign = newPath()
    change(foreign, 'PRAGMA journal_mode = WAL; CREATE TABLE mine (x); INSERT INTO mine VALUES (1)')
    const other = newPath()
    change(other, 'PRAGMA application_id = 0x4c434d73; CREATE TABLE session (no)')
    const text = newPath()
    writeFileSync(text, 'notes of mine')
    for (const path of [foreign, other, text]) {
      const before = readFileSync(path)
      expect(await codeOf(open(path).session({ key: 'a' }, 1))).toBe('NOT_A_STORE')
      expect(await codeOf(open(path, true).list())).toBe('NOT_A_STORE')
      await expect(open(path).list()).rejects.toThrow('is not a store of decisions; choose another path')
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })

  it('is left alone when a newer version wrote it', async () => {
    const path = newPath()
    await fill(open(path))
    change(path, 'PRAGMA user_version = 99')
    for (const readOnly of [false, true]) {
      expect(await codeOf(open(path, readOnly).list())).toBe('STORE_TOO_NEW')
      await expect(open(path, readOnly).list()).rejects.toThrow(/newer version of @palimpsest\/decisions/)
    }
  })

  it('can be read without writing to it', async () => {
    const path = newPath()
    const store = open(path)
    await fill(store)
    await store.close()
    const before = readFileSync(path)
    const reader = open(path, true)
    const session = await reader.session({ key: 'a' }, 1)
    expect(await session.sources()).toEqual(messages(0, 'hello', 'world'))
    expect(await session.events({ scopes: [PROJECT] })).toHaveLength(1)
    for (const write of [
      () => reader.session({ key: 'b' }, 1),
      () => session.commit({ sources: messages(2, 'more') }, 1),
      () => session.takeJob('j', { holder: 'me', at: 1, until: 2 }),
    ])
      await expect(write()).rejects.toThrow(/is open for reading only; open it for writing/)
    await reader.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('is damaged when SQLite says so, and is not written then', async () => {
    const path = newPath()
    const store = open(path)
    await fill(store)
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 100, 4000)
    writeFileSync(path, bytes)
    expect(await codeOf(open(path).list())).toBe('STORE_CORRUPT')
    expect(await codeOf(open(path).session({ key: 'a' }, 1))).toBe('STORE_CORRUPT')
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it.each([
    ['a message that is no JSON', `UPDATE source SET json = '{' WHERE message = 0`],
    ['an event that is no JSON', `UPDATE event SET json = 'x'`],
    ['a name that is no JSON', `UPDATE session SET key = 'x'`],
    ['a session that is gone', 'PRAGMA foreign_keys = OFF; DELETE FROM session'],
    ['more messages than its session counts', 'UPDATE session SET messages = 1'],
  ])('is damaged when it has %s', async (_, statement) => {
    const path = newPath()
    const store = open(path)
    await fill(store)
    const session = await store.session({ key: 'a' }, 1)
    change(path, statement)
    const codes = [
      await codeOf(session.sources()),
      await codeOf(session.events({ scopes: [PROJECT] })),
      await codeOf(store.list()),
      await codeOf(session.commit({ sources: messages(1, 'again') }, 1)),
    ]
    expect(codes).toContain('STORE_CORRUPT')
    expect(
      codes.filter((code) => !['STORE_CORRUPT', 'STORE_CONFLICT', 'no error'].includes(String(code))),
    ).toEqual([])
  })

  it('keeps each text once, and a commit costs no more when the history is long', async () => {
    const path = newPath()
    const store = open(path)
    const session = await talk(store, 'a')
    const text = 'a sentence of a message '.repeat(100)
    const statements: number[] = []
    const { prepare } = DatabaseSync.prototype
    let calls = 0
    DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...values: Parameters<typeof prepare>) {
      calls++
      return prepare.apply(this, values)
    }
    try {
      for (let turn = 0; turn < 100; turn++) {
        calls = 0
        const ten = Array.from({ length: 10 }, () => text)
        await session.commit({ sources: messages(10 * turn, ...ten) }, 1)
        statements.push(calls)
      }
    } finally {
      DatabaseSync.prototype.prepare = prepare
    }
    // Statements are compiled once.
    expect(statements.slice(1).every((count) => count === 0)).toBe(true)
    await store.close()
    expect(statSync(path).size).toBeLessThan(1.5 * 1_000 * text.length)
  })
})
