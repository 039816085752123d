import { createPostgresStore } from '@palimpsest/postgres'
import { escapeIdentifier, Pool } from 'pg'
import type { Progress } from '../progress.ts'
import { whole } from '../report/section.ts'
import type { FilledStore, ScaleWorkload, StoreAddress } from './scale-workload.ts'
import { runTogether, startWorker } from './worker.ts'

/** Processes that write: one for each core of a small machine. */
const LOADERS = 2
/** Messages of a store from which on the indexes of texts are built behind the rows, which takes half of the time. */
const BUILT_FROM = 50_000
/** For one index. */
const BUILD_MEMORY = '1GB'

export async function fillStore(
  { url, schema }: StoreAddress,
  workload: ScaleWorkload,
  { program, progress }: { readonly program: string; readonly progress: Progress },
): Promise<FilledStore> {
  const address = { url, schema }
  const pool = new Pool({ connectionString: url, max: 3, statement_timeout: 0 })
  const title = `${whole(workload.sessions * workload.length)} messages`
  try {
    const store = createPostgresStore({ url, schema })
    await store.stats()
    await store.close()
    const isLarge = workload.sessions * workload.length >= BUILT_FROM
    const indexes = isLarge ? await dropTextIndexes(pool, schema) : []
    progress.step(`${title}: write them`)
    const messages = await load(address, workload, program)
    if (isLarge) progress.step(`${title}: build the indexes of their texts`)
    await Promise.all(indexes.map((definition) => build(pool, definition)))
    progress.step(`${title}: vacuum`)
    for (const table of ['lcm_session', 'lcm_message', 'lcm_summary', 'lcm_frontier'])
      await pool.query(`VACUUM ANALYZE ${escapeIdentifier(schema)}.${table}`)
    return { ...address, workload, messages }
  } finally {
    await pool.end()
  }
}

async function load(address: StoreAddress, workload: ScaleWorkload, program: string): Promise<number> {
  const share = Math.ceil(workload.sessions / LOADERS)
  const workers = Array.from({ length: LOADERS }, () => startWorker(program))
  try {
    const { results } = await runTogether(workers, (index) => {
      const end = Math.min(workload.sessions, (index + 1) * share)
      return { kind: 'load', ...address, workload, first: index * share, end }
    })
    return results.reduce((sum, { messages }) => sum + messages, 0)
  } finally {
    for (const worker of workers) worker.end()
  }
}

/** Returns the statements that make them again. */
async function dropTextIndexes(pool: Pool, schema: string): Promise<string[]> {
  const indexes = await textIndexes(pool, schema)
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`)
  return indexes.map(({ definition }) => definition)
}

/** The indexes of texts, with the statements that make them. */
export async function textIndexes(
  client: Pick<Pool, 'query'>,
  schema: string,
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
     WHERE relnamespace = $1::regnamespace AND amname = 'gin' ORDER BY 1`,
    [escapeIdentifier(schema)],
  )
  return rows
}

async function build(pool: Pool, definition: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`SET maintenance_work_mem = '${BUILD_MEMORY}'`)
    await client.query(definition)
    await client.query('RESET maintenance_work_mem')
  } finally {
    client.release()
  }
}
