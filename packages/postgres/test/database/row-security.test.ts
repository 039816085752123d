import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { appendAnyway } from '../support/append-anyway.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { contentsOf, expectSound } from '../support/transcript.ts'

describeWithPostgres(
  'row-level security',
  (server) => {
    it('shows a role that uses a store the rows of one principal at a time, and its owner all of them', async () => {
      const [schema, tenant] = [server.schema(), server.schema()]
      const owner = createPostgresStore({ url: server.url, schema, rowSecurity: true })
      await owner.list({ limit: 1 })
      await server.pool.query(`
        CREATE ROLE ${tenant} LOGIN;
        GRANT USAGE ON SCHEMA ${schema} TO ${tenant};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${tenant}`)
      const url = server.url.replace('postgres@', `${tenant}@`)
      const options = { url, schema, rowSecurity: true, migrate: false }
      const store = createPostgresStore(options)
      const client = await server.pool.connect()
      try {
        for (const principal of ['me', 'you']) {
          const session = await store.session({ principal, key: 'talk' }, 1)
          await appendAnyway(session, `secret of ${principal}`)
          await store.session({ principal, key: 'other' }, 1)
          expect(await contentsOf(session)).toEqual([`secret of ${principal}`])
          await session.record({ scope: 'project', events: [{ id: `event of ${principal}`, body: {} }] })
        }
        expect(await store.list({ principal: 'me', limit: 9 })).toHaveLength(2)
        expect(await store.scopes('you')).toEqual(['project'])
        // What is about all principals is the owner's.
        expect(await store.list({ limit: 9 })).toEqual([])
        expect(await owner.list({ limit: 9 })).toHaveLength(4)
        await expectSound(owner)

        await client.query(`SET ROLE ${tenant}; SET search_path = ${schema}`)
        const secrets = async () =>
          (await client.query('SELECT text FROM message_index')).rows.map(({ text }) => text)
        expect(await secrets()).toEqual([])
        await client.query(`BEGIN; SET LOCAL palimpsest.principal = 'you'`)
        expect(await secrets()).toEqual(['secret of you'])
        expect((await client.query('SELECT 1 FROM event')).rowCount).toBe(1)
        expect((await client.query(`UPDATE session SET next_seq = 9 WHERE principal = 'me'`)).rowCount).toBe(
          0,
        )
        await expect(
          client.query(`INSERT INTO frontier VALUES (7, 'me', 'undo', 1, 1, '[]', '')`),
        ).rejects.toThrow(/row-level security/)
        await client.query('ROLLBACK')
        expect(await secrets()).toEqual([])
      } finally {
        await client.query('RESET ROLE')
        client.release(true)
        for (const each of [store, owner]) await each.close()
      }
    })
  },
  'local',
)
