import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { STORE_FORMAT } from '../../src/sqlite/schema.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
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

  it('is whole when a process ended, or is at work, in the middle of moving the log into it', async () => {
    const path = newPath()
    const store = open(path)
    await say(await store.session({ key: 'a' }, 1), 'hello')
    const log = readFileSync(`${path}-wal`)
    const before = readFileSync(path)
    await store.close()
    const after = readFileSync(path)
    expect(after.length).toBeGreaterThan(before.length)
    // The first page is there, which says how many there are, and the others are in the log alone.
    const half = newPath()
    writeFileSync(half, after.subarray(0, 16_384))
    writeFileSync(`${half}-wal`, log)
    const session = await open(half).find({ key: 'a' })
    expect((await session?.messages({ limit: 9 }))?.map(({ json }) => JSON.parse(json).content)).toEqual([
      'hello',
    ])
    // Without the log it is damaged, and says so.
    const torn = newPath()
    writeFileSync(torn, after.subarray(0, 16_384))
    expect(await codeOf(open(torn).find({ key: 'a' }))).toBe('STORE_CORRUPT')
  })

  it('waits for the disk with every commit, and overwrites what is deleted, whoever opens it', () => {
    const path = newPath()
    const open = () => openDatabase(path, 'create', STORE_FORMAT)
    for (const opened of [open(), open()]) {
      const read = (name: string) =>
        Object.values(opened.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0]
      // 2 is FULL.
      expect([read('journal_mode'), read('synchronous'), read('secure_delete')]).toEqual(['wal', 2, 1])
      expect([read('auto_vacuum'), read('page_size'), read('foreign_keys')]).toEqual([2, 16_384, 1])
      opened.close()
    }
  })

  it('stays as it is, to the byte and to its time, when it is opened, read and closed', async () => {
    const path = newPath()
    const writer = open(path)
    await say(await writer.session({ key: 'a' }, 1), 'hello', 'world')
    await writer.close()
    utimesSync(path, 1, 1)
    const before = readFileSync(path)
    const reader = open(path)
    expect(await (await reader.find({ key: 'a' }))?.messages({ limit: 9 })).toHaveLength(2)
    await reader.close()
    expect(statSync(path).mtimeMs).toBe(1_000)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('gives back what a large deletion left, when it is closed', async () => {
    const path = newPath()
    const store = open(path)
    const session = await store.session({ key: 'a' }, 1)
    for (let turn = 0; turn < 20; turn++) await say(session, `${turn} ${'lorem ipsum '.repeat(20_000)}`)
    await session.forget({ first: 0, last: 19, reason: 'asked', at: 9 })
    const before = statSync(path).size
    await store.close()
    expect(statSync(path).size).toBeLessThan(before / 2)
  })

  it('is not made in a folder that is missing; the store works as soon as there is one', async () => {
    const path = join(folder(), 'missing', 'store.db')
    const store = open(path)
    expect(await codeOf(store.list({ limit: 9 }))).toBe('STORE_UNAVAILABLE')
    await expect(store.list({ limit: 9 })).rejects.toThrow(/make it first/)
    mkdirSync(join(path, '..'))
    expect(await store.list({ limit: 9 })).toEqual([])
  })

  it('may be an empty file, which nobody else reads from then on', async () => {
    const path = newPath()
    writeFileSync(path, '', { mode: 0o644 })
    expect(await open(path).list({ limit: 9 })).toEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('is no store before something was written to it, and is not made by who only looks for one', async () => {
    const empty = newPath()
    writeFileSync(empty, '')
    const database = new DatabaseSync(newPath())
    const emptied = database.location() ?? ''
    database.exec('CREATE TABLE t (x); DROP TABLE t')
    database.close()
    for (const path of [empty, emptied, newPath()]) {
      const before = existsSync(path) && readFileSync(path)
      for (const options of [{ readOnly: true }, { create: false }]) {
        const store = createSqliteStore({ path, ...options })
        await expect(store.list({ limit: 9 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
        await expect(store.check()).rejects.toThrow(/there is no (store in|file)/)
        await store.close()
      }
      expect(existsSync(path) && readFileSync(path)).toEqual(before)
    }
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
      expect(await codeOf(open(path, true).list({ limit: 9 }))).toBe('NOT_A_STORE')
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })

  it('is left alone when a newer version wrote it, even when only the log says so', async () => {
    const path = newPath()
    await say(await open(path).session({ key: 'a' }, 1), 'hello')
    const newer = new DatabaseSync(path)
    newer.exec('PRAGMA user_version = 99')
    for (const readOnly of [false, true])
      expect(await codeOf(open(path, readOnly).list({ limit: 9 }))).toBe('STORE_TOO_NEW')
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
    expect(await codeOf(damaged.list({ limit: 9 }))).toBe('STORE_CORRUPT')
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
    expect(await codeOf(open(newPath(), true).list({ limit: 9 }))).toBe('STORE_UNAVAILABLE')
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
        expect((await open(path, true).list({ limit: 9 }))[0]?.messages).toBe(1)
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
})
