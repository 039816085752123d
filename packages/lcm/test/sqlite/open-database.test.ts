import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { codeOf, say, useFolders } from './store-folder.ts'

const { open, path: newPath, folder } = useFolders()

describe('the file of a store', () => {
  it('is readable by nobody else, with its log and its shared memory, whatever the umask is', async () => {
    const umask = process.umask(0)
    try {
      const path = newPath()
      const session = await open(path).session({ key: 'a' }, 1)
      await say(session, 'hello')
      const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777)
      expect(modes).toEqual([0o600, 0o600, 0o600])
    } finally {
      process.umask(umask)
    }
  })

  it('is opened by the first call and not before', async () => {
    const path = newPath()
    const store = open(path)
    expect(existsSync(path)).toBe(false)
    await store.stats()
    expect(existsSync(path)).toBe(true)
  })

  it('says whose it is, in which version, and logs ahead', async () => {
    const path = newPath()
    await open(path).stats()
    const database = new DatabaseSync(path)
    const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(read('journal_mode')).toBe('wal')
    expect(read('application_id')).toBe(0x4c434d73)
    expect(read('user_version')).toBe(1)
    database.close()
  })

  it('refuses rows that refer to nothing', async () => {
    const path = newPath()
    await open(path).stats()
    const database = new DatabaseSync(path)
    const insert = (sql: string) => () => database.exec(sql)
    expect(insert("INSERT INTO version VALUES (7, 0, 'start', 0, 1)")).toThrow(/FOREIGN KEY/)
    expect(insert('INSERT INTO span VALUES (7, 0, 0, 1, 0, NULL)')).toThrow(/FOREIGN KEY/)
    expect(insert('INSERT INTO edge VALUES (1, 0, 2)')).toThrow(/FOREIGN KEY/)
    database.close()
  })

  it('is not made in a folder that is missing; the store works as soon as there is one', async () => {
    const path = join(folder(), 'missing', 'store.db')
    const store = open(path)
    expect(await codeOf(store.stats())).toBe('STORE_UNAVAILABLE')
    await expect(store.stats()).rejects.toThrow(/make it first/)
    mkdirSync(join(path, '..'))
    expect((await store.stats()).sessions).toBe(0)
  })

  it('may be an empty file', async () => {
    const path = newPath()
    writeFileSync(path, '')
    expect((await open(path).stats()).sessions).toBe(0)
  })

  it('is left alone when it is something else', async () => {
    const foreign = newPath()
    const database = new DatabaseSync(foreign)
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE mine (x); INSERT INTO mine VALUES (1)')
    database.close()
    const other = newPath()
    const numbered = new DatabaseSync(other)
    numbered.exec('PRAGMA application_id = 5')
    numbered.close()
    const text = newPath()
    writeFileSync(text, 'notes of mine')
    for (const path of [foreign, other, text]) {
      const before = readFileSync(path)
      expect(await codeOf(open(path).session({ key: 'a' }, 1))).toBe('NOT_A_STORE')
      expect(await codeOf(open(path, true).stats())).toBe('NOT_A_STORE')
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })

  it('is left alone when a newer version wrote it, even when only the log says so', async () => {
    const path = newPath()
    await say(await open(path).session({ key: 'a' }, 1), 'hello')
    const newer = new DatabaseSync(path)
    newer.exec('PRAGMA user_version = 99')
    for (const readOnly of [false, true])
      expect(await codeOf(open(path, readOnly).stats())).toBe('STORE_TOO_NEW')
    newer.close()
  })

  it('is damaged when SQLite says so', async () => {
    const path = newPath()
    const store = open(path)
    await say(await store.session({ key: 'a' }, 1), 'hello')
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 100, 4000)
    writeFileSync(path, bytes)
    const damaged = open(path)
    expect(await codeOf(damaged.stats())).toBe('STORE_CORRUPT')
    expect(await codeOf(damaged.session({ key: 'a' }, 1))).toBe('STORE_CORRUPT')
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('can be read without writing to it', async () => {
    const path = newPath()
    const store = open(path)
    await say(await store.session({ key: 'a' }, 1), 'hello', 'world')
    await store.close()
    const before = readFileSync(path)
    const reader = open(path, true)
    const session = await reader.find({ key: 'a' })
    expect(await session?.messages({ limit: 9 })).toHaveLength(2)
    expect(await reader.check()).toEqual([])
    expect(await codeOf(reader.session({ key: 'b' }, 1))).toBe('STORE_UNAVAILABLE')
    expect(session && (await codeOf(say(session, 'more')))).toBe('STORE_UNAVAILABLE')
    await reader.close()
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(await codeOf(open(newPath(), true).stats())).toBe('STORE_UNAVAILABLE')
  })

  // Permissions do not hold for the superuser.
  it.skipIf(process.getuid?.() === 0)(
    'can be read where nothing can be written, and be written again',
    async () => {
      const path = newPath()
      const store = open(path)
      await say(await store.session({ key: 'a' }, 1), 'hello')
      await store.close()
      chmodSync(path, 0o400)
      chmodSync(join(path, '..'), 0o500)
      try {
        expect((await open(path, true).stats()).messages).toBe(1)
        expect(await codeOf(open(path).session({ key: 'b' }, 1))).toBe('STORE_UNAVAILABLE')
        expect(readdirSync(join(path, '..'))).toEqual(['store.db'])
      } finally {
        chmodSync(join(path, '..'), 0o700)
      }
      const writer = open(path)
      expect(await codeOf(writer.session({ key: 'b' }, 1))).toBe('STORE_UNAVAILABLE')
      chmodSync(path, 0o600)
      expect((await writer.session({ key: 'b' }, 1)).key).toBe('b')
    },
  )

  it('says that it was closed', async () => {
    const store = open(newPath())
    const session = await store.session({ key: 'a' }, 1)
    await store.close()
    await store.close()
    expect(await codeOf(store.stats())).toBe('STORE_CLOSED')
    expect(await codeOf(session.head())).toBe('STORE_CLOSED')
  })
})
