import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { startWorker, type Worker } from '../support/start-worker.ts'
import { contentsOf, expectSound } from '../support/transcript.ts'

const WORKERS = ['w0', 'w1', 'w2', 'w3']
const TURNS = 30

describeWithPostgres('four workers on one session and on one each', (server) => {
  const start = (schema: string) =>
    WORKERS.map((name) => startWorker('worker', server.url, schema, name, String(TURNS)))
  const said = (worker: Worker, ...words: readonly string[]) =>
    worker.lines.filter((line) => words.every((word, index) => line[index] === word))

  it('lose nothing, write nothing twice, and never fork it, while their connections are cut', async () => {
    const schema = server.schema()
    const workers = start(schema)
    let cuts = 0
    let running = true
    const cutting = (async () => {
      while (running) {
        await wait(60)
        const { rows } = await server.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE application_name = 'palimpsest' ORDER BY random() LIMIT 1`,
        )
        cuts += rows.length
      }
    })()
    const ends = await Promise.all(workers.map(({ ended }) => ended))
    running = false
    await cutting
    for (const end of ends) expect(end).toEqual({ code: 0, errors: '' })
    const store = createPostgresStore({ url: server.url, schema })
    try {
      const common = await store.find({ key: 'common' })
      if (common === null) throw new Error('the session is there')
      const written = await contentsOf(common)
      expect(written).toHaveLength(WORKERS.length * TURNS)
      for (const name of WORKERS) {
        const expected = Array.from({ length: TURNS }, (_, turn) => `${name} ${turn}`)
        expect(written.filter((content) => content.startsWith(`${name} `))).toEqual(expected)
        const own = await store.find({ key: name })
        expect(own && (await contentsOf(own))).toEqual(expected)
      }
      const compactions = workers.flatMap((worker) => said(worker, 'compacted'))
      const { version, nodes } = await common.frontier()
      expect(compactions).toHaveLength(version)
      expect(nodes).toHaveLength(version)
      await expectSound(store)
      const conflicts = workers
        .flatMap((worker) => said(worker, 'conflicts'))
        .map(([, count]) => Number(count))
      console.log(
        `${2 * WORKERS.length * TURNS} messages, ${version} compactions, ${cuts} connections cut, ${conflicts.reduce((sum, count) => sum + count)} races lost`,
      )
      expect(cuts).toBeGreaterThan(3)
    } finally {
      await store.close()
    }
  })

  it('leave every message that they said was stored when they are killed, and others go on where they were', async () => {
    const schema = server.schema()
    const workers = start(schema)
    const killed = workers.slice(0, 3)
    const killing = killed.map(async (worker, index) => {
      while (said(worker, 'stored').length < 5 + 7 * index) await wait(2)
      worker.kill()
    })
    await Promise.all(killing)
    const ends = await Promise.all(workers.map(({ ended }) => ended))
    expect(ends).toEqual([...killed.map(() => ({ code: null, errors: '' })), { code: 0, errors: '' }])
    const store = createPostgresStore({ url: server.url, schema })
    try {
      await expectSound(store)
      for (const key of ['common', ...WORKERS]) {
        const session = await store.find({ key })
        if (session === null) throw new Error('the session is there')
        const written = await contentsOf(session)
        expect(new Set(written).size).toBe(written.length)
        const known = workers.flatMap((worker) => said(worker, 'stored', key)).map(([, , content]) => content)
        expect(known.filter((content) => content === undefined || !written.includes(content))).toEqual([])
        // A worker that is killed may have stored one message more than it could say.
        expect(written.length - known.length).toBeLessThanOrEqual(killed.length)
      }
      const common = await store.find({ key: 'common' })
      // Who held the lease was killed with it: it runs out by the server's clock.
      while ((await common?.acquireLease({ holder: 'next', now: 0, ttl: 60_000 })) === null) await wait(20)
      const stored = workers.reduce((sum, worker) => sum + said(worker, 'stored').length, 0)
      console.log(
        `${killed.length} of ${WORKERS.length} workers killed, ${stored} messages known to be stored, all there`,
      )
    } finally {
      await store.close()
    }
  })
})
