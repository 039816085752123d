import { expect, it } from 'vitest'
import { createDatabase, type Work } from '../../src/database/create-database.ts'
import type { DatabaseFormat } from '../../src/database/database-format.ts'
import { createPostgresPool } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

const FORMAT: DatabaseFormat = {
  name: 'test',
  migrations: [() => 'SELECT 1'],
  tables: [],
  error: (code, message, options) => Object.assign(new Error(message, options), { code }),
}

/** What a server says of a transaction that cannot be put in one order with the others. */
const FAIL = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = 'serialization_failure'; END $$`

describeWithPostgres('a transaction that others get in the way of', (server) => {
  it('is tried again, later each time and not for ever', async () => {
    const pauses: number[] = []
    const tools = { random: () => 0.5, wait: async (time: number) => void pauses.push(time) }
    const database = createDatabase({ url: server.url, schema: server.schema() }, FORMAT, tools)
    try {
      let runs = 0
      const done = await database.write({}, async (sql) => {
        if (++runs < 4) await sql.script(FAIL)
        return 'done'
      })
      expect([done, runs, pauses]).toEqual(['done', 4, [38, 75, 150]])
      const endless = database.write({}, (sql) => sql.script(FAIL))
      await expect(endless).rejects.toMatchObject({ code: 'STORE_BUSY' })
      expect(pauses).toEqual([38, 75, 150, 38, 75, 150, 300, 600])
    } finally {
      await database.close()
    }
  })

  it('is done once all the same when it was the victim of a deadlock', async () => {
    const database = createDatabase({ url: server.url, schema: server.schema() }, FORMAT)
    const add = (no: number) => `UPDATE account SET amount = amount + 1 WHERE no = ${no}`
    try {
      await database.write({}, (sql) =>
        sql.script(
          'CREATE TABLE account (no integer PRIMARY KEY, amount integer); INSERT INTO account VALUES (1, 0), (2, 0)',
        ),
      )
      let runs = 0
      let meet = () => {}
      const met = new Promise<void>((resolve) => {
        meet = resolve
      })
      /** Takes one row, waits until the other one is taken as well, and asks for it. */
      const transfer =
        (from: number, to: number): Work<void> =>
        async (sql) => {
          await sql.run(add(from))
          if (++runs === 2) meet()
          await met
          await sql.run(add(to))
        }
      await Promise.all([database.write({}, transfer(1, 2)), database.write({}, transfer(2, 1))])
      const amounts = await database.read({}, (sql) => sql.all('SELECT no, amount FROM account ORDER BY no'))
      expect(amounts).toEqual([
        { no: 1, amount: 2 },
        { no: 2, amount: 2 },
      ])
      console.log(`2 transactions waited for each other, ${runs - 2} of them was done again`)
      expect(runs).toBe(3)
    } finally {
      await database.close()
    }
  })
})

describeWithPostgres('a transaction that goes on behind a statement that failed', (server) => {
  it('is refused, and not taken for one that was done', async () => {
    const database = createDatabase({ url: server.url, schema: server.schema() }, FORMAT)
    try {
      await database.write({}, (sql) => sql.script('CREATE TABLE note (text text PRIMARY KEY)'))
      const careless = database.write({}, async (sql) => {
        await sql.run('INSERT INTO note VALUES ($1)', 'mine')
        await sql.run('INSERT INTO note VALUES ($1)', 'mine').catch(() => {})
      })
      await expect(careless).rejects.toThrow('nothing was written')
      expect(await database.read({}, (sql) => sql.all('SELECT text FROM note'))).toEqual([])
    } finally {
      await database.close()
    }
  })
})

describeWithPostgres('a connection that was left in a transaction that had failed', (server) => {
  it('is closed, and the next transaction takes another one', async () => {
    const pool = createPostgresPool({ url: server.url, poolSize: 1 })
    const database = createDatabase({ pool, schema: server.schema() }, FORMAT)
    const leave = async () => {
      const client = await pool.connect()
      await client.query('BEGIN; SELECT 1 / 0').catch(() => {})
      client.release()
    }
    try {
      await database.write({}, (sql) => sql.script('CREATE TABLE note (text text PRIMARY KEY)'))
      await leave()
      await database.write({}, (sql) => sql.run("INSERT INTO note VALUES ('without values')"))
      await leave()
      await database.write({}, (sql) => sql.run('INSERT INTO note VALUES ($1)', 'with values'))
      await leave()
      const query = 'SELECT count(*) AS notes FROM note WHERE text <> $1'
      expect(await database.read({}, (sql) => sql.all(query, 'none'))).toEqual([{ notes: 2 }])
    } finally {
      await database.close()
      await pool.end()
    }
  })
})
