import { StoreError } from '@palimpsest/store'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { createPostgresStore, type PostgresOptions } from '../../src/index.ts'
import { user } from '../support/append-anyway.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

/** The error that a store of these options rejects its first call with. */
async function firstError(options: PostgresOptions): Promise<StoreError> {
  const store = createPostgresStore(options)
  try {
    await store.list({ limit: 1 })
  } catch (error) {
    if (StoreError.isInstance(error)) return error
    throw error
  } finally {
    await store.close()
  }
  throw new Error('the call was to fail')
}

describeWithPostgres(
  'a store in PostgreSQL that is in trouble',
  (server) => {
    const at = (user: string) => server.url.replace('postgres@', `${user}@`)

    it('says what to do when the server cannot be reached, and keeps the password to itself', async () => {
      const refused = await firstError({ url: 'postgres://me:s3cret@127.0.0.1:1/palimpsest' })
      expect(refused).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message:
          '127.0.0.1:1/palimpsest (schema palimpsest) cannot be reached (ECONNREFUSED); start the server, or check the address',
      })
      expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('s3cret')
    })

    it('says that the password is wrong, that there is no such database, or that the user may not do that', async () => {
      const powerless = server.schema()
      await server.pool.query(`DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'`)
      await server.pool.query(`CREATE ROLE ${powerless} LOGIN`)
      const wrong = await firstError({ url: at('locked:wr0ng') })
      expect(wrong).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      expect(wrong.message).toMatch(/refused the user or the password/)
      expect(wrong.message).not.toContain('wr0ng')
      const missing = await firstError({ url: at('locked') })
      expect(missing.message).toMatch(/asks for a password; put it into the address, or into PGPASSWORD/)
      const absent = await firstError({ url: server.url.replace('/postgres?', '/absent?') })
      expect(absent.message).toMatch(/there is no database .*absent/)
      const denied = await firstError({ url: at(powerless), schema: server.schema() })
      expect(denied).toMatchObject({ code: 'STORE_UNAVAILABLE' })
      expect(denied.message).toMatch(/the user may not do that/)
    })

    it('refuses options that are none, and repeats no address that may have a password in it', () => {
      const wrong: readonly [string, PostgresOptions][] = [
        ['url', {}],
        ['url', { url: 'mysql://me:s3cret@host/db' }],
        ['url', { url: 'postgres://me:s3cret@ho st:port/db' }],
        ['schema', { url: server.url, schema: '' }],
        ['schema', { url: server.url, schema: 'x'.repeat(64) }],
        ['poolSize', { url: server.url, poolSize: 0 }],
        ['statementTimeout', { url: server.url, statementTimeout: 0.5 }],
      ]
      for (const [path, options] of wrong) {
        let error: unknown
        try {
          createPostgresStore(options)
        } catch (thrown) {
          error = thrown
        }
        expect(error).toMatchObject({ code: 'INVALID_OPTION', path })
        expect(String(error)).not.toContain('s3cret')
      }
    })

    it('is busy, and not broken, when a statement takes too long or every connection is in use', async () => {
      const schema = server.schema()
      const store = createPostgresStore({ url: server.url, schema, statementTimeout: 300 })
      const small = createPostgresStore({ url: server.url, schema, poolSize: 1, connectTimeout: 1_000 })
      const holder = await server.pool.connect()
      try {
        const [session, other] = [await store.session({ key: 'a' }, 1), await small.session({ key: 'a' }, 1)]
        await holder.query(`BEGIN; SELECT 1 FROM ${schema}.session FOR UPDATE`)
        const append = { nextSeq: 0, messages: [user('late')], at: 1 }
        await expect(session.append(append)).rejects.toMatchObject({ code: 'STORE_BUSY' })
        const waiting = other.append(append)
        await expect(other.head()).rejects.toMatchObject({
          code: 'STORE_BUSY',
          message: expect.stringContaining('all connections'),
        })
        await holder.query('ROLLBACK')
        await waiting
        expect((await session.head()).nextSeq).toBe(1)
      } finally {
        holder.release()
        await store.close()
        await small.close()
      }
    })

    it('says that the disk is full, writes nothing then, and goes on when there is space again', async () => {
      const schema = server.schema()
      const store = createPostgresStore({ url: server.url, schema })
      try {
        const session = await store.session({ key: 'a' }, 1)
        // What a server says then, at the last of the three messages.
        await server.pool.query(`
          CREATE FUNCTION ${schema}.fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
          END $$;
          CREATE TRIGGER fill BEFORE INSERT ON ${schema}.message
            FOR EACH ROW WHEN (NEW.id % 4294967296 = 2) EXECUTE FUNCTION ${schema}.fill()`)
        const append = { nextSeq: 0, messages: ['one', 'two', 'three'].map(user), at: 1 }
        await expect(session.append(append)).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('no memory or space left'),
        })
        expect((await session.head()).nextSeq).toBe(0)
        await server.pool.query(`DROP TRIGGER fill ON ${schema}.message`)
        expect((await session.append(append)).nextSeq).toBe(3)
      } finally {
        await store.close()
      }
    })

    it('refuses tables of a newer version, tables of others, and to make tables when it may not', async () => {
      const [newer, foreign, empty] = [server.schema(), server.schema(), server.schema()]
      const store = createPostgresStore({ url: server.url, schema: newer })
      await store.list({ limit: 1 })
      await store.close()
      await server.pool.query(`UPDATE ${newer}.palimpsest_version SET version = 99`)
      expect(await firstError({ url: server.url, schema: newer })).toMatchObject({ code: 'STORE_TOO_NEW' })
      await server.pool.query(`CREATE SCHEMA ${foreign}; CREATE TABLE ${foreign}.message (x integer)`)
      expect(await firstError({ url: server.url, schema: foreign })).toMatchObject({ code: 'NOT_A_STORE' })
      const unmade = await firstError({ url: server.url, schema: empty, migrate: false })
      expect(unmade).toMatchObject({ code: 'NOT_A_STORE' })
      expect(unmade.message).toContain('migrate: true')
    })

    it('makes its tables once when many begin at the same moment', async () => {
      const schema = server.schema()
      const stores = Array.from({ length: 6 }, () =>
        createPostgresStore({ url: server.url, schema, poolSize: 1 }),
      )
      try {
        const opened = stores.map((store) => store.session({ key: 'a' }, 1))
        expect(new Set((await Promise.all(opened)).map(({ key }) => key))).toEqual(new Set(['a']))
        expect(await stores[0]?.list({ limit: 9 })).toHaveLength(1)
      } finally {
        for (const store of stores) await store.close()
      }
    })

    it('leaves a pool that was given to it open, and its connections as they were', async () => {
      const pool = new Pool({ connectionString: server.url, max: 1 })
      const settings = async () =>
        (
          await pool.query(`SELECT pg_backend_pid(), current_setting('search_path') AS path,
           current_setting('statement_timeout') AS timeout, current_setting('jit') AS jit`)
        ).rows
      const before = await settings()
      const store = createPostgresStore({ pool, schema: server.schema() })
      await (await store.session({ key: 'a' }, 1)).append({ nextSeq: 0, messages: [user('hello')], at: 1 })
      await store.close()
      expect(await settings()).toEqual(before)
      await pool.end()
    })
  },
  'local',
)
