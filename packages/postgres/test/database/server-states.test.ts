import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { user } from '../support/append-anyway.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { contentsOf } from '../support/transcript.ts'

describeWithPostgres(
  'a store in PostgreSQL whose server comes and goes',
  (server) => {
    it('says so while it is away, whether it was there before or not, and goes on when it is back', async () => {
      const { cluster } = server
      const schema = server.schema()
      const open = () => createPostgresStore({ url: server.url, schema })
      const away = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining('cannot be reached') }
      const before = open()
      const session = await before.session({ key: 'a' }, 1)
      await session.append({ nextSeq: 0, messages: [user('before')], at: 1 })
      await cluster.kill()
      const meanwhile = open()
      try {
        await expect(session.head()).rejects.toMatchObject(away)
        for (const _ of [1, 2]) await expect(meanwhile.session({ key: 'a' }, 1)).rejects.toMatchObject(away)
        await cluster.start()
        await session.append({ nextSeq: 1, messages: [user('after')], at: 1 })
        expect(await contentsOf(await meanwhile.session({ key: 'a' }, 1))).toEqual(['before', 'after'])
      } finally {
        await before.close()
        await meanwhile.close()
      }
    })

    it('reads from a standby, which it cannot write to', async () => {
      const { cluster } = server
      const schema = server.schema()
      const store = createPostgresStore({ url: server.url, schema })
      const standby = join(cluster.folder, 'data', 'standby.signal')
      try {
        const session = await store.session({ key: 'a' }, 1)
        await session.append({ nextSeq: 0, messages: [user('there')], at: 1 })
        await cluster.stop()
        writeFileSync(standby, '')
        await cluster.start()
        expect(await contentsOf(session)).toEqual(['there'])
        await expect(session.append({ nextSeq: 1, messages: [user('more')], at: 1 })).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('read-only; connect to the primary'),
        })
        await cluster.stop()
        rmSync(standby)
        await cluster.start()
        expect((await session.append({ nextSeq: 1, messages: [user('more')], at: 1 })).nextSeq).toBe(2)
      } finally {
        await store.close()
      }
    })
  },
  'cluster',
)
