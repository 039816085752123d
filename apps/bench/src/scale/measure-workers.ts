import { createPostgresStore } from '@palimpsest/postgres'
import { type Client, escapeIdentifier } from 'pg'
import { createSamples } from '../speed/time.ts'
import { type FilledStore, PRINCIPAL, type StoreAddress } from './scale-workload.ts'
import { runTogether, startWorker, type Worker } from './worker.ts'

type WorkerFigures = Awaited<ReturnType<typeof measureCount>>

const TURNS = 96
const ROUNDS = 3

interface WorkersInput {
  readonly store: FilledStore
  readonly counts: readonly number[]
  readonly program: string
  readonly client: Client
  readonly effort: number
}

/** Workers that append turns at the same time, through the store and by plain statements in turn. */
export async function measureWorkers({ counts, program, ...input }: WorkersInput): Promise<WorkerFigures[]> {
  const workers = Array.from({ length: Math.max(...counts) }, () => startWorker(program))
  try {
    const figures: WorkerFigures[] = []
    for (const isOne of [false, true])
      for (const count of counts)
        figures.push(await measureCount({ ...input, workers: workers.slice(0, count), isOne }))
    return figures
  } finally {
    for (const worker of workers) worker.end()
  }
}

interface CountInput extends Omit<WorkersInput, 'counts' | 'program'> {
  readonly workers: readonly Worker[]
  readonly isOne: boolean
}

async function measureCount({ store, client, effort, workers, isOne }: CountInput) {
  const { url, schema } = store
  const rounds = Math.ceil(ROUNDS * effort)
  const turns = Math.max(1, Math.ceil((TURNS * Math.min(1, effort)) / workers.length))
  const speeds = createSamples<'store' | 'sql'>()
  let [written, found, conflicts] = [0, 0, 0]
  for (let round = 0; round < rounds; round++) {
    const run = `run${workers.length}${isOne ? 'same' : 'each'}${round}`
    const nameOf = (index: number) => `${run}w${index}`
    const keyOf = (index: number, by: 'store' | 'sql') => `${isOne ? run : nameOf(index)}-${by}`
    await makeSessions(
      store,
      [...workers.keys()].flatMap((index) => [keyOf(index, 'store'), keyOf(index, 'sql')]),
    )
    const byStore = await runTogether(workers, (index) => {
      const [key, name] = [keyOf(index, 'store'), nameOf(index)]
      return { kind: 'write', url, schema, seed: index, key, name, turns }
    })
    const bySql = await runTogether(workers, (index) => {
      const [key, source] = [keyOf(index, 'sql'), keyOf(index, 'store')]
      return { kind: 'write-sql', url, schema, key, source, name: nameOf(index) }
    })
    speeds.add('store', (turns * workers.length * 1000) / byStore.elapsed)
    speeds.add('sql', (turns * workers.length * 1000) / bySql.elapsed)
    for (const result of byStore.results) {
      written += result.messages
      conflicts += result.conflicts
    }
    found += await countOnce(client, store, run)
  }
  return {
    workers: workers.length,
    on: isOne ? 'the same session' : 'a session each',
    turns: speeds.timing('store').median,
    floor: speeds.timing('sql').median,
    /** Messages that were to be written, and that are there once and no more. */
    written,
    found,
    conflicts,
  }
}

async function makeSessions({ url, schema }: StoreAddress, keys: readonly string[]): Promise<void> {
  const store = createPostgresStore({ url, schema, poolSize: 1 })
  for (const key of keys) await store.session({ principal: PRINCIPAL, key }, 0)
  await store.close()
}

/** Messages of a run whose id is there exactly once, in sessions whose numbers have no gap. */
async function countOnce(client: Client, { schema }: FilledStore, run: string): Promise<number> {
  const place = escapeIdentifier(schema)
  const { rows } = await client.query(
    `WITH own AS (SELECT no, next_seq FROM ${place}.lcm_session WHERE starts_with(key, $1) AND key LIKE '%-store'),
       message AS (SELECT host_id FROM ${place}.lcm_message JOIN own ON session = no WHERE seq < next_seq)
     SELECT (SELECT count(*) FROM (SELECT 1 FROM message GROUP BY host_id HAVING count(*) = 1) AS once) AS once,
       (SELECT sum(next_seq) FROM own) AS counted`,
    [run],
  )
  const [{ once, counted }] = rows
  if (Number(counted) !== Number(once))
    throw new Error(`${run}: the sessions count ${counted} messages, and ${once} are there once`)
  return Number(once)
}
