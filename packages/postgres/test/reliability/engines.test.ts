import { expect, it } from 'vitest'
import { everySummary, openSession, stored, system, texts, turns } from '../../../lcm/test/engine/harness.ts'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { saidBehind, startWorker, untilSaid } from '../support/start-worker.ts'

const WORKERS = 2
const TURNS = 40
/** From this turn on one of them goes first, and from the second number on the other: each then has to compact. */
const FIRST_ALONE = [24, 32] as const

describeWithPostgres('two processes with the engine of LCM on one session', (server) => {
  it('store each message once, and no message is summarised twice, over many turns', async () => {
    const schema = server.schema()
    const store = createPostgresStore({ url: server.url, schema })
    try {
      const workers = Array.from({ length: WORKERS }, () =>
        startWorker('talker', server.url, schema, String(TURNS)),
      )
      for (let turn = 0; turn < TURNS; turn++) {
        const together = turn < FIRST_ALONE[0]
        const order = turn < FIRST_ALONE[1] ? workers : workers.toReversed()
        for (const worker of order) {
          worker.tell('next')
          if (!together) await untilSaid(worker, turn + 1, 'over')
        }
        for (const worker of together ? workers : []) await untilSaid(worker, turn + 1, 'over')
      }
      for (const worker of workers) worker.finish()
      for (const { ended } of workers) expect(await ended).toEqual({ code: 0, errors: '' })
      const session = await openSession(store)
      expect(await stored(session)).toEqual(texts([system(), ...turns(TURNS)]))
      expect(await store.verify()).toEqual([])
      const nodes = await everySummary(session)
      const leaves = nodes.filter(({ depth }) => depth === 0).toSorted((one, next) => one.first - next.first)
      for (const [index, { first }] of leaves.entries())
        if (index > 0) expect(first).toBeGreaterThan(leaves[index - 1]?.last ?? 0)
      const counts = (word: string) => workers.map((worker) => saidBehind(worker, word).length)
      const made = workers.map((worker) => saidBehind(worker, 'compacted', 'summarised').length)
      console.log(
        `${FIRST_ALONE[0]} of ${TURNS} turns at once: ${nodes.length} summaries, ${counts('asked').join(' and ')} calls to a model,`,
        `${made.join(' and ')} compactions, ${counts('deferred').join(' and ')} left to the other`,
      )
      expect(leaves.length).toBeGreaterThan(5)
      expect(Math.min(...made)).toBeGreaterThan(0)
    } finally {
      await store.close()
    }
  })
})
