import { verifySession } from '@palimpsest/lcm'
import { expect, it } from 'vitest'
import { uncovered } from '../../../lcm/test/engine/coverage.ts'
import {
  createChat,
  openSession,
  stored,
  system,
  texts,
  turns,
  user,
} from '../../../lcm/test/engine/harness.ts'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

describeWithPostgres('two engines on one session in PostgreSQL', (server) => {
  it('store the same conversation once, compact it once, and one takes over the summaries of the other', async () => {
    const schema = server.schema()
    const [one, two] = [0, 1].map(() => createPostgresStore({ url: server.url, schema, poolSize: 3 }))
    if (one === undefined || two === undefined) throw new Error('there are two stores')
    try {
      const [first, second] = [
        createChat({ store: one, window: 4_000 }),
        createChat({ store: two, window: 4_000 }),
      ]
      const told = [system(), ...turns(20)]
      for (let end = 9; end <= told.length; end += 4) {
        const list = told.slice(0, end)
        await Promise.all([first.prepare(list), second.prepare(list)])
      }
      await Promise.all([first.compact(), second.compact()])
      const next = [...told, user('and now?')]
      await second.prepare(next)
      const other = await second.compact()
      const session = await openSession(one)
      expect(await stored(session)).toEqual(texts(next))
      expect(await verifySession(session)).toEqual([])
      expect(await uncovered(session, other.messages)).toBeUndefined()
      const versions = await session.versions({ limit: 100 })
      expect(versions.length).toBeGreaterThan(1)
      expect(versions.every(({ reason }) => reason === 'start' || reason === 'compaction')).toBe(true)
      const { nodes } = await session.frontier()
      expect(new Set(nodes.map(({ first }) => first)).size).toBe(nodes.length)
    } finally {
      await one.close()
      await two.close()
    }
  })
})
