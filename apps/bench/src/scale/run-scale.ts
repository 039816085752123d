import { Client, escapeIdentifier } from 'pg'
import { UsageError } from '../commands/usage-error.ts'
import { createScratchFolder } from '../lcm/scratch-folder.ts'
import type { Progress } from '../progress.ts'
import { fillStore, textIndexes } from './fill-store.ts'
import { type GrepFigures, measureGrep } from './measure-grep.ts'
import { measureTurns, PLAYED_SESSIONS } from './measure-turns.ts'
import { measureWorkers } from './measure-workers.ts'
import { openPlace } from './open-place.ts'
import type { FilledStore } from './scale-workload.ts'

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
