import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { saidBehind, startWorker, untilSaid, type Worker } from '../support/start-worker.ts'
import { checkWriters } from './check-writers.ts'

/** What may go wrong while workers write; `stopped` and `crashed` are about a server that the tests own. */
export type Trouble = 'killed' | 'cut' | 'stopped' | 'crashed'

export interface Storm {
  /** In turns. */
  readonly troubles: readonly Trouble[]
  /** How long to make trouble at least, in milliseconds, and how often of each kind. */
  readonly time: number
  readonly times: number
}

const WORKERS = 3

/** The longest time between two troubles, in milliseconds. */
const PAUSE = 120

/**
 * Lets workers write, each to a session that it takes over from the one before it and all to a common one, and makes
 * trouble. Then nothing is lost and nothing is there twice. Prints what happened.
 */
export async function weather(server: PostgresServer, { troubles, time, times }: Storm): Promise<void> {
  const schema = server.schema()
  const address = new URL(server.url)
  address.searchParams.set('application_name', schema)
  const workers: Worker[] = []
  const killed = new Set<Worker>()
  const begin = (place: number): Worker => {
    const worker = startWorker('writer', address.href, schema, `w${workers.length}`, `own ${place}`)
    workers.push(worker)
    return worker
  }
  const running = Array.from({ length: WORKERS }, (_, place) => begin(place))

  /** Each returns how often it has happened. */
  const make: Record<Trouble, () => Promise<number>> = {
    async killed() {
      const place = Math.floor(Math.random() * WORKERS)
      const worker = running[place]
      // One that has not begun yet proves nothing.
      if (worker === undefined || saidBehind(worker, 'stored').length === 0) return 0
      worker.kill()
      killed.add(worker)
      running[place] = begin(place)
      return 1
    },
    async cut() {
      const { rowCount } = await server.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()
         ORDER BY random() LIMIT 1`,
        [schema],
      )
      return rowCount ?? 0
    },
    async stopped() {
      await server.cluster.stop()
      await server.cluster.start()
      return 1
    },
    async crashed() {
      await server.cluster.kill()
      await server.cluster.start()
      return 1
    },
  }

  for (const worker of running) await untilSaid(worker, 1, 'stored')
  const happened = { killed: 0, cut: 0, stopped: 0, crashed: 0 }
  const end = performance.now() + time
  for (let turn = 0; performance.now() < end || troubles.some((kind) => happened[kind] < times); turn++) {
    const kind = troubles[turn % troubles.length]
    if (kind !== undefined) happened[kind] += await make[kind]()
    await wait(Math.random() * PAUSE)
  }
  for (const worker of running) worker.finish()
  for (const worker of workers)
    expect(await worker.ended).toEqual({ code: killed.has(worker) ? null : 0, errors: '' })

  const store = createPostgresStore({ url: server.url, schema })
  try {
    const { messages, ...counts } = await checkWriters(store, workers, killed.size)
    console.log(`${messages} messages of ${workers.length} workers, none lost and none doubled`, {
      ...happened,
      ...counts,
    })
  } finally {
    await store.close()
  }
}
