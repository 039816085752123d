import { createPostgresStore } from '@palimpsest/postgres'
import { Client, escapeIdentifier, Pool } from 'pg'
import { UsageError } from '../commands/usage-error.ts'
import { createScratchFolder } from '../lcm/scratch-folder.ts'
import type { Progress } from '../progress.ts'
import { whole } from '../report/section.ts'
import { type GrepFigures, measureGrep } from './measure-grep.ts'
import { measureTurns, PLAYED_SESSIONS } from './measure-turns.ts'
import { measureWorkers } from './measure-workers.ts'
import { openPlace } from './open-place.ts'
import type { FilledStore, ScaleWorkload, StoreAddress } from './scale-workload.ts'
import { runTogether, startWorker } from './worker.ts'

export type ScaleReport = Awaited<ReturnType<typeof runScale>>

interface ScaleInput {
  readonly url: string | undefined
  /** Messages of the largest store, and its sessions. A tenth and a hundredth of both are measured beside it. */
  readonly messages: number
  readonly sessions: number
  readonly seed: number
  readonly program: string
  readonly folder: string
  readonly workers?: readonly number[]
  /** Share of the usual repetitions, for a trial. Default 1. */
  readonly effort?: number
  readonly progress: Progress
}

/** The default numbers of workers at the same time. */
const WORKERS = [1, 4, 16]
const STEPS = [100, 10, 1]

const SETTINGS = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'shared_buffers',
  'work_mem',
  'max_wal_size',
  'gin_pending_list_limit',
  'autovacuum',
]

export async function runScale({
  effort = 1,
  workers: counts = WORKERS,
  program,
  progress,
  ...input
}: ScaleInput) {
  const { seed, messages, sessions } = input
  const scratch = createScratchFolder(input.folder)
  const place = await openPlace(input.url, scratch.path)
  const client = new Client({ connectionString: place.url })
  try {
    await connect(client)
    const settings = await readSettings(client)
    const stores: FilledStore[] = []
    const sizes: SizeFigures[] = []
    for (const part of distinctSizes(sessions)) {
      const workload = { seed, sessions: part, length: Math.ceil(messages / sessions) }
      const address = { url: place.url, schema: place.schema(String(part)) }
      progress.step(`fill a store of ${part} sessions`)
      const store = await fillStore(address, workload, { program, progress })
      stores.push(store)
      sizes.push(await measureSizes(store, client))
    }
    const large = stores.at(-1)
    if (large === undefined) throw new Error('there is no store')
    await client.query('CHECKPOINT').catch(() => {})
    progress.step('turns')
    const turns = await measureTurns(stores, { client, effort })
    const greps: GrepFigures[] = []
    for (const store of stores) {
      progress.step(`searches of ${store.messages} messages`)
      greps.push(...(await measureGrep(store, { client, effort })))
    }
    progress.step('workers')
    const workers = await measureWorkers({ store: large, counts, program, client, effort })
    const upkeep: UpkeepFigures[] = []
    for (const store of stores) {
      progress.step(`upkeep of ${store.messages} messages`)
      upkeep.push(await measureUpkeep(store, client))
    }
    const { server_version: server = '', ...others } = settings
    return { server, settings: others, seed, sizes, turns, greps, upkeep, workers }
  } finally {
    await client.end()
    await place.close()
    scratch.remove()
    progress.end()
  }
}

/** @throws UsageError with what the server or the network says, which is never the password. */
async function connect(client: Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    throw new UsageError(`--url: there is no connection to the server: ${message || code}`)
  }
}

function distinctSizes(sessions: number): number[] {
  return [...new Set(STEPS.map((step) => Math.max(PLAYED_SESSIONS, Math.round(sessions / step))))]
}

async function readSettings(client: Client): Promise<Record<string, string>> {
  const settings: Record<string, string> = {}
  for (const name of SETTINGS) {
    const { rows } = await client.query('SELECT current_setting($1) AS value', [name])
    settings[name] = rows[0].value
  }
  return settings
}

type UpkeepFigures = Awaited<ReturnType<typeof measureUpkeep>>

/** Messages that are new. */
const NEW = 1_000

/** Milliseconds of a vacuum behind new messages, whose entries are merged into the indexes of texts before. */
async function measureUpkeep({ schema, messages }: FilledStore, client: Client) {
  const table = `${escapeIdentifier(schema)}.lcm_message`
  // The first messages of the first session, once more at its end.
  await client.query(
    `INSERT INTO ${table} SELECT copy.* FROM ${table} AS original,
       jsonb_populate_record(original, jsonb_build_object('seq', 1000001 + original.seq)) AS copy
     WHERE original.session = 1 AND original.seq < ${NEW}`,
  )
  for (const { name } of await textIndexes(client, schema))
    await client.query('SELECT gin_clean_pending_list($1::regclass)', [name])
  const start = performance.now()
  await client.query(`VACUUM ${table}`)
  return { messages, vacuum: performance.now() - start }
}

export type SizeFigures = Awaited<ReturnType<typeof measureSizes>>

const TABLES = ['lcm_message', 'lcm_summary', 'lcm_frontier', 'lcm_session']

/** Bytes of the tables of a store with their indexes, and the characters of its messages as JSON. */
async function measureSizes({ schema, workload, messages }: FilledStore, client: Client) {
  const place = escapeIdentifier(schema)
  const { rows } = await client.query(
    `SELECT (SELECT sum(characters) FROM ${place}.lcm_session) AS characters,
       (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name) AS bytes`,
    [TABLES.map((name) => `${place}.${name}`)],
  )
  const [{ characters, bytes }] = rows
  return { messages, sessions: workload.sessions, bytes: Number(bytes), characters: Number(characters) }
}

/** Processes that write: one for each core of a small machine. */
const LOADERS = 2
/** Messages of a store from which on the indexes of texts are built behind the rows, which takes half of the time. */
const BUILT_FROM = 50_000
/** For one index. */
const BUILD_MEMORY = '1GB'

async function fillStore(
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
async function textIndexes(
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
