import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PalimpsestError } from '@palimpsest/core'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Connection,
  createConnection,
  type OpenMode,
  openDatabase,
  type StoreFormat,
} from '../src/index.ts'

const folders: string[] = []
const connections: Connection[] = []
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const newPath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-core-sqlite-'))
  folders.push(folder)
  return join(folder, 'notes.db')
}

const FIRST = 'CREATE TABLE note (text TEXT NOT NULL)'
const SECOND = `ALTER TABLE note ADD COLUMN folded TEXT; UPDATE note SET folded = fold(text)`

/** Files of notes: version 1, or 2. */
const notes = (...migrations: readonly string[]): StoreFormat => ({
  ...{ title: 'a book of notes', packageName: 'notes', applicationId: 0x4e6f7465, migrations },
  addFunctions: (database) => database.function('fold', (text) => String(text).toLowerCase()),
  error: (code, message, options) => new PalimpsestError(code, message, options),
})

const open = (path: string, format: StoreFormat, mode: OpenMode = 'create'): Connection => {
  const connection = createConnection({ path, mode, format })
  connections.push(connection)
  return connection
}

const write = (connection: Connection, text: string) =>
  connection.write((sql) => sql.run('INSERT INTO note (text) VALUES (?)', text))
const read = (connection: Connection) => connection.read((sql) => sql.all('SELECT * FROM note'))

describe('a connection to a file of some format', () => {
  it('brings an older file to the newest version, once, with what is in it', async () => {
    const path = newPath()
    const old = open(path, notes(FIRST))
    await write(old, 'Hello')
    old.close()
    const readOnly = open(path, notes(FIRST, SECOND), 'read')
    await expect(read(readOnly)).rejects.toThrow(/is of an older version; open it for writing once/)
    const both = [open(path, notes(FIRST, SECOND)), open(path, notes(FIRST, SECOND), 'write')]
    for (const rows of await Promise.all(both.map(read)))
      expect(rows).toEqual([{ text: 'Hello', folded: 'hello' }])
    expect(await read(readOnly)).toHaveLength(1)
    await expect(read(open(path, notes(FIRST)))).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
  })

  it('leaves a file of an older version as it was when a step fails', async () => {
    const path = newPath()
    const old = open(path, notes(FIRST))
    await write(old, 'Hello')
    const broken = notes(FIRST, `${SECOND}; INSERT INTO nowhere VALUES (1)`)
    await expect(read(open(path, broken))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await read(old)).toEqual([{ text: 'Hello' }])
  })

  it('takes a file of another format for something else, and leaves it alone', async () => {
    const path = newPath()
    await write(open(path, notes(FIRST)), 'Hello')
    const other = { ...notes(FIRST), applicationId: 1, title: 'a book of songs' }
    for (const mode of ['create', 'write', 'read'] as const)
      await expect(read(open(path, other, mode))).rejects.toThrow(
        'is not a book of songs; choose another path',
      )
  })

  it('undoes all of a write that fails', async () => {
    const connection = open(newPath(), notes(FIRST))
    const failing = connection.write((sql) => {
      sql.run('INSERT INTO note (text) VALUES (?)', 'half')
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await read(connection)).toEqual([])
  })

  it('waits for another writer without blocking its own process', async () => {
    const path = newPath()
    const connection = open(path, notes(FIRST))
    await read(connection)
    const other = openDatabase(path, 'write', notes(FIRST))
    other.run('BEGIN IMMEDIATE')
    other.run('INSERT INTO note (text) VALUES (?)', 'first')
    const second = write(connection, 'second')
    setTimeout(() => other.run('COMMIT'), 50)
    await second
    other.close()
    expect(await read(connection)).toEqual([{ text: 'first' }, { text: 'second' }])
  })

  it('keeps a database in memory, apart from others, until it is closed', async () => {
    const one = open(':memory:', notes(FIRST))
    const other = open(':memory:', notes(FIRST))
    await write(one, 'Hello')
    expect(await read(one)).toEqual([{ text: 'Hello' }])
    expect(await read(other)).toEqual([])
    one.close()
    await expect(read(one)).rejects.toMatchObject({ code: 'STORE_CLOSED' })
    expect(existsSync(':memory:')).toBe(false)
  })

  it('says that it was closed, or that it only reads', async () => {
    const path = newPath()
    const connection = open(path, notes(FIRST))
    await write(connection, 'Hello')
    await expect(write(open(path, notes(FIRST), 'read'), 'no')).rejects.toThrow('is open for reading only')
    connection.close()
    connection.close()
    await expect(read(connection)).rejects.toMatchObject({ code: 'STORE_CLOSED' })
  })

  // Closing a file drops all locks that the process has on it, unless SQLite does it.
  it.skipIf(!existsSync('/proc/locks'))(
    'keeps its lock when another one of its process opens the file',
    async () => {
      const path = newPath()
      await write(open(path, notes(FIRST)), 'Hello')
      const locks = (): number => {
        const end = `:${statSync(path).ino} `
        const lines = readFileSync('/proc/locks', 'utf8').split('\n')
        return lines.filter((line) => line.includes(end) && line.includes(` ${process.pid} `)).length
      }
      expect(locks()).toBeGreaterThan(0)
      const before = locks()
      for (const mode of ['create', 'read'] as const) {
        const second = open(path, notes(FIRST), mode)
        await read(second)
        second.close()
        expect(locks()).toBe(before)
      }
    },
  )
})
