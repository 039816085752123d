import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { createSerialQueue, type Store } from '@palimpsest/core'
import { createStore, INDEXED, type Sql, StoreError, schemaOf, type Value } from '@palimpsest/store'

const TYPES = { integer: 'INTEGER', real: 'REAL', text: 'TEXT', counter: 'INTEGER' }
const INDEX = INDEXED.map((table) => `CREATE TABLE ${table}_index (id INTEGER PRIMARY KEY, text TEXT);`)

export function createPlainStore(path: string): Store {
  const isNew = !existsSync(path)
  const database = new DatabaseSync(path)
  if (isNew) database.exec([schemaOf(TYPES), ...INDEX].join('\n'))
  const enqueue = createSerialQueue()

  const sql: Sql = {
    all: async <Row>(text: string, values: readonly Value[] = []) =>
      database.prepare(text).all(...values) as Row[],
    run: async (text, values = []) => Number(database.prepare(text).run(...values).changes),
  }
  const transact = <T>(begin: string, work: (sql: Sql) => Promise<T>): Promise<T> =>
    enqueue(async () => {
      if (!database.isOpen) throw new StoreError('STORE_CLOSED', `${path} was closed`)
      database.exec(begin)
      try {
        const result = await work(sql)
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    })

  return createStore({
    kind: 'sqlite',
    location: path,
    read: (work) => transact('BEGIN', work),
    write: (work) => transact('BEGIN IMMEDIATE', work),
    lock: '',
    now: async (_, given) => given,
    async lockEvents() {},
    index: {
      id: 'id',
      join: 'JOIN',
      row: ({ id, text }) => ({ id, text }),
      match: (_, lists) => ({
        condition: lists.map((terms) => `(${terms.map(() => 'instr(text, ?)').join(' OR ')})`).join(' AND '),
        values: lists.flat(),
      }),
      ids: (table) => `SELECT id FROM ${table}_index`,
      async clear(sql, table) {
        await sql.run(`DELETE FROM ${table}_index`)
      },
    },
    check: async () => [],
    close: () =>
      enqueue(async () => {
        if (database.isOpen) database.close()
      }),
  })
}
