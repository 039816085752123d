import { resolve } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { createPause, createSerialQueue } from '@palimpsest/core'
import type { Database, Sql, Value } from '../database.ts'
import { StoreError } from '../errors.ts'
import { IN_MEMORY, type OpenMode, openFile } from './open-file.ts'
import { isBusy, isFileFault, isMisfit, toStoreError } from './sqlite-error.ts'

const BUSY_LIMIT = 30_000
const FIRST_WAIT = 2
const LONGEST_WAIT = 50

interface Connection {
  readonly database: DatabaseSync
  readonly sql: Sql
}

export function openSqlite(path: string, mode: OpenMode): Database {
  const file = path === IN_MEMORY ? path : resolve(path)
  const enqueue = createSerialQueue()
  let opened: Connection | undefined
  let isClosed = false
  let hasWritten = false

  const open = (): Connection => {
    if (isClosed) throw new StoreError('STORE_CLOSED', `the store ${file} was closed; open it again`)
    if (opened === undefined) {
      const database = openFile(file, mode)
      opened = { database, sql: createSql(database) }
    }
    return opened
  }
  const close = (): void => {
    opened?.database.close()
    opened = undefined
  }

  const transact = <T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> =>
    enqueue(async () => {
      const end = performance.now() + BUSY_LIMIT
      for (let pause = FIRST_WAIT; ; pause = Math.min(pause * 2, LONGEST_WAIT)) {
        try {
          return await inTransaction(open(), begin, work)
        } catch (error) {
          if (isFileFault(error) && file !== IN_MEMORY) close()
          if (!isBusy(error) || performance.now() >= end) throw toStoreError(error, file)
        }
        await wait(pause)
      }
    })

  return {
    kind: file === IN_MEMORY ? 'memory' : 'sqlite',
    location: file,
    read: (work) => transact('BEGIN', work),
    write(work) {
      if (mode === 'read')
        return Promise.reject(
          new StoreError('STORE_UNAVAILABLE', `${file} is open for reading only; open it for writing`),
        )
      hasWritten = true
      return transact('BEGIN IMMEDIATE', work)
    },
    lock: '',
    now: async (_, given) => given,
    async lockEvents() {},
    index: {
      id: 'rowid',
      // SQLite reads the index first, in row order, and stops at the limit.
      join: 'CROSS JOIN',
      row: ({ id, text }) =>
        text.length <= LONG_TEXT
          ? { rowid: id, text }
          : eachTrigramOnce(text).then((short) => ({ rowid: id, text: short })),
      match: (table, lists) => ({
        condition: `hits.${table}_index MATCH ?`,
        values: [
          lists
            .map((terms) => `(${terms.map((term) => `(${trigrams(term).join(' AND ')})`).join(' OR ')})`)
            .join(' AND '),
        ],
      }),
      ids: (table) => `SELECT id FROM ${table}_index_docsize`,
      async clear(sql, table) {
        await sql.run(`INSERT INTO ${table}_index (${table}_index) VALUES ('delete-all')`)
      },
    },
    check: checkPages,
    close: () =>
      enqueue(async () => {
        isClosed = true
        // Merging indexes frees pages. If another process uses the file now, the next close returns them.
        if (hasWritten)
          try {
            opened?.database.exec('PRAGMA incremental_vacuum(2000)')
          } catch {}
        close()
      }),
  }
}

async function inTransaction<T>(
  { database, sql }: Connection,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  database.exec(begin)
  try {
    const result = await work(sql)
    database.exec('COMMIT')
    return result
  } catch (error) {
    try {
      database.exec('ROLLBACK')
    } catch {
      // Some errors have already ended the transaction.
    }
    throw error
  }
}

const KEPT = 200

/** `node:sqlite` binds every number as a real one. Columns convert it to an integer; elsewhere a cast is needed. */
function createSql(database: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known !== undefined) return known
    if (statements.size >= KEPT) statements.clear()
    const statement = database.prepare(
      text.replaceAll('BETWEEN ? AND ?', 'BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)'),
    )
    statements.set(text, statement)
    return statement
  }
  return {
    all: async <Row>(text: string, values: readonly Value[] = []) => prepare(text).all(...values) as Row[],
    run: async (text, values = []) => Number(prepare(text).run(...values).changes),
  }
}

const LONG_TEXT = 100_000
const STEP = 10_000

/** A text with the same trigrams in which few are there twice: the index knows which a text has, not where. */
async function eachTrigramOnce(text: string): Promise<string> {
  const pause = createPause()
  const seen = new Set<number>()
  const ascii = new Uint8Array(2 ** 21)
  const isNew = (start: number): boolean => {
    const one = text.charCodeAt(start)
    const two = text.charCodeAt(start + 1)
    const three = text.charCodeAt(start + 2)
    if ((one | two | three) < 128) {
      const place = (one << 14) | (two << 7) | three
      if (ascii[place] === 1) return false
      ascii[place] = 1
      return true
    }
    if ([one, two, three].some((unit) => (unit & 0xf800) === 0xd800)) return true
    const place = (one * 65_536 + two) * 65_536 + three
    const { size } = seen
    return seen.add(place).size > size
  }
  const kept: string[] = []
  let [begin, end] = [0, 0]
  for (let start = 0; start + 3 <= text.length; start++) {
    if (start % STEP === 0) await pause()
    if (!isNew(start)) continue
    if (start > end) {
      kept.push(text.slice(begin, end))
      begin = start
    }
    end = start + 3
  }
  return [...kept, text.slice(begin, end)].join('\n')
}

const MOST_TRIGRAMS = 12

/** Every third trigram and the last one together contain every character of the term. */
function trigrams(term: string): string[] {
  const characters = [...term]
  const found = new Set<string>()
  const add = (start: number) =>
    found.add(
      `"${characters
        .slice(start, start + 3)
        .join('')
        .replaceAll('"', '""')}"`,
    )
  for (let start = 0; start + 3 <= characters.length && found.size < MOST_TRIGRAMS - 1; start += 3) add(start)
  add(characters.length - 3)
  return [...found]
}

async function checkPages(sql: Sql): Promise<string[]> {
  try {
    const reports = await sql.all<{ integrity_check: string }>('PRAGMA integrity_check(100)')
    const texts = reports.map((row) => row.integrity_check)
    return texts.filter((text) => text !== 'ok').map((text) => `The file is damaged: ${text}.`)
  } catch (error) {
    if (!isMisfit(error)) throw error
    return [`The file is damaged: ${(error as Error).message}.`]
  }
}
