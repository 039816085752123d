import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store, StoredSession } from '@palimpsest/core'
import { afterEach, describe, expect, it } from 'vitest'
import { createSqliteStore } from '../src/index.ts'

const folders: string[] = []
const stores: Store[] = []
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
  folders.push(folder)
  return join(folder, 'sessions.db')
}

function open(path: string, options: { readonly readOnly?: boolean; readonly create?: boolean } = {}): Store {
  const store = createSqliteStore({ path, ...options })
  stores.push(store)
  return store
}

async function say(store: Store, ...texts: readonly string[]): Promise<StoredSession> {
  const session = await store.session({ key: 'a' }, 1)
  const { nextSeq } = await session.head()
  const messages = texts.map((content) => ({ message: { role: 'user' as const, content }, tokens: 1 }))
  await session.append({ nextSeq, messages, at: 1 })
  return session
}

const textsIn = async (session: StoredSession | null) =>
  ((await session?.messages()) ?? []).map(({ message }) => message?.content)

/** Another hand in the file. */
function change(path: string, statement: string): void {
  const database = new DatabaseSync(path)
  database.exec(statement)
  database.close()
}

const list = (store: Store) => store.list({ limit: 9 })
const failure = (code: string) => expect.objectContaining({ code })

describe('the file of a store', () => {
  it('has a name', () => {
    expect(() => createSqliteStore({ path: '' })).toThrow('expected a file')
  })

  it('is readable by nobody else, with its log and its shared memory, whatever the umask is', async () => {
    const umask = process.umask(0)
    try {
      const path = newPath()
      await say(open(path), 'hello')
      const modes = ['', '-wal', '-shm'].map((suffix) => statSync(path + suffix).mode & 0o777)
      expect(modes).toEqual([0o600, 0o600, 0o600])
    } finally {
      process.umask(umask)
    }
  })

  it('is made by the first call, and not by who only looks for one', async () => {
    const path = newPath()
    for (const options of [{ readOnly: true }, { create: false }]) {
      await expect(list(open(path, options))).rejects.toEqual(failure('STORE_UNAVAILABLE'))
      expect(existsSync(path)).toBe(false)
    }
    await expect(list(open(join(path, '..', 'missing', 'x.db')))).rejects.toThrow(/make it first/)
  })

  it('is left alone when it is something else', async () => {
    const foreign = newPath()
    change(foreign, 'PRAGMA journal_mode = WAL; CREATE TABLE mine (x); INSERT INTO mine VALUES (1)')
    const text = newPath()
    writeFileSync(text, 'notes of mine')
    for (const path of [foreign, text]) {
      const before = readFileSync(path)
      for (const options of [{}, { readOnly: true }])
        await expect(list(open(path, options))).rejects.toEqual(failure('NOT_A_STORE'))
      expect(readFileSync(path).equals(before)).toBe(true)
    }
  })

  it('is left alone when a newer version wrote it', async () => {
    const path = newPath()
    const store = open(path)
    await say(store, 'hello')
    await store.close()
    change(path, 'PRAGMA user_version = 99')
    for (const options of [{}, { readOnly: true }])
      await expect(list(open(path, options))).rejects.toEqual(failure('STORE_TOO_NEW'))
  })

  it('can be read without writing to it', async () => {
    const path = newPath()
    const store = open(path)
    await say(store, 'hello')
    await store.close()
    const before = readFileSync(path)
    const reader = open(path, { readOnly: true })
    const session = await reader.find({ key: 'a' })
    expect(await textsIn(session)).toEqual(['hello'])
    await expect(reader.session({ key: 'b' }, 1)).rejects.toThrow(/open for reading only/)
    await expect(say(reader, 'more')).rejects.toThrow(/open for reading only/)
    await reader.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('is damaged when SQLite says so, and is not written then', async () => {
    const path = newPath()
    const store = open(path)
    await say(store, 'hello')
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0x5a, 100, 4_000)
    writeFileSync(path, bytes)
    await expect(list(open(path))).rejects.toEqual(failure('STORE_CORRUPT'))
    await expect(say(open(path), 'more')).rejects.toEqual(failure('STORE_CORRUPT'))
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('takes a write while another process writes, without blocking this one', async () => {
    const path = newPath()
    const store = open(path)
    const session = await say(store, 'first')
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    const second = say(store, 'second')
    setTimeout(() => other.exec('COMMIT'), 50)
    await second
    other.close()
    expect(await textsIn(session)).toEqual(['first', 'second'])
  })

  it('in memory is apart from others, and gone when it is closed', async () => {
    const [one, other] = [open(':memory:'), open(':memory:')]
    await say(one, 'hello')
    expect(await list(other)).toEqual([])
    await one.close()
    await one.close()
    await expect(list(one)).rejects.toEqual(failure('STORE_CLOSED'))
    expect(existsSync(':memory:')).toBe(false)
  })

  // Closing a file drops all locks that the process has on it, unless SQLite does it.
  it.skipIf(!existsSync('/proc/locks'))('keeps its lock when another one opens it', async () => {
    const path = newPath()
    await say(open(path), 'hello')
    const locks = (): number => {
      const end = `:${statSync(path).ino} `
      const lines = readFileSync('/proc/locks', 'utf8').split('\n')
      return lines.filter((line) => line.includes(end) && line.includes(` ${process.pid} `)).length
    }
    const before = locks()
    expect(before).toBeGreaterThan(0)
    for (const readOnly of [false, true]) {
      const second = open(path, { readOnly })
      await list(second)
      await second.close()
      expect(locks()).toBe(before)
    }
  })
})
