import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { user } from '../support/append-anyway.ts'
import { type Cut, startCuttingProxy } from '../support/cutting-proxy.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { expectSound } from '../support/transcript.ts'

/** Of six commits, one breaks before the server hears of it, and one before its answer arrives. */
const CUTS: readonly (Cut | undefined)[] = [undefined, 'before', undefined, undefined, 'after', undefined]

const TURNS = 45

describeWithPostgres(
  'a connection that breaks in the middle of a commit',
  (server) => {
    it('costs nothing: each append is there once, and who made it hears that it is', async () => {
      let commits = 0
      let cutting = false
      const proxy = await startCuttingProxy(server.url, () =>
        cutting ? CUTS[commits++ % CUTS.length] : undefined,
      )
      const schema = server.schema()
      const store = createPostgresStore({ url: proxy.url, schema, poolSize: 2 })
      try {
        const session = await store.session({ key: 'a' }, 1)
        cutting = true
        for (let turn = 0; turn < TURNS; turn++) {
          const head = await session.append({ nextSeq: turn, messages: [user(`turn ${turn}`)], at: turn })
          expect(head.nextSeq).toBe(turn + 1)
        }
        expect(await session.forget({ first: 3, last: 5, reason: 'asked', at: 1 })).toEqual({
          messages: 3,
          summaries: [],
        })
        cutting = false
        expect((await session.messages()).length).toBe(TURNS)
        await expectSound(store)
      } finally {
        await store.close()
        await proxy.close()
      }
      console.log(`${TURNS} appends over ${proxy.cuts.before + proxy.cuts.after} broken commits`, proxy.cuts)
      expect(proxy.cuts.before).toBeGreaterThan(5)
      expect(proxy.cuts.after).toBeGreaterThan(5)
    })

    it('is told as it is when nobody can say any more whether the commit took place', async () => {
      let armed = false
      const proxy = await startCuttingProxy(server.url, (sent) => {
        // The end of what was read before may still be on its way.
        if (!armed || !sent.includes('receipts')) return undefined
        proxy.refuse()
        return 'after'
      })
      const schema = server.schema()
      const store = createPostgresStore({ url: proxy.url, schema, poolSize: 1 })
      const direct = createPostgresStore({ url: server.url, schema, poolSize: 1 })
      try {
        const session = await store.session({ key: 'a' }, 1)
        armed = true
        const append = session.append({ nextSeq: 0, messages: [user('hello')], at: 1 })
        await expect(append).rejects.toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: expect.stringContaining('may have taken place; read it again'),
        })
        expect((await (await direct.session({ key: 'a' }, 1)).head()).nextSeq).toBe(1)
      } finally {
        await store.close()
        await direct.close()
        await proxy.close()
      }
    })

    it('makes no second job and no second event', async () => {
      let commits = 0
      const proxy = await startCuttingProxy(server.url, () => (commits++ % 2 === 1 ? 'after' : undefined))
      const store = createPostgresStore({ url: proxy.url, schema: server.schema(), poolSize: 2 })
      try {
        const session = await store.session({ key: 'a' }, 1)
        for (let turn = 0; turn < 20; turn++) {
          const job = { id: `job ${turn}`, kind: 'read', body: { turn } }
          await session.record({
            scope: 'project',
            events: [{ id: `event ${turn}`, body: turn }],
            jobs: [job],
          })
          expect(await session.takeJob(job.id, { holder: 'me', now: 0, ttl: 60_000 })).toBe(true)
        }
        const events = await session.events({ scopes: ['project'] })
        expect(events.map(({ body }) => body)).toEqual([...Array(20).keys()])
        expect((await session.jobs()).map(({ attempts }) => attempts)).toEqual(Array(20).fill(1))
      } finally {
        await store.close()
        await proxy.close()
      }
      expect(proxy.cuts.after).toBeGreaterThan(10)
    })
  },
  'local',
)
