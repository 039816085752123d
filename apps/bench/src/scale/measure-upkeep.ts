import { type Client, escapeIdentifier, escapeLiteral } from 'pg'
import { type FilledStore, textIndexes } from './fill-store.ts'
import { touchedPages } from './sql-floor.ts'

export type UpkeepFigures = Awaited<ReturnType<typeof measureUpkeep>>

const INSPECT = 'pageinspect'
const PENDING = 1_000
const TURN = 12

export async function measureUpkeep({ schema, messages }: FilledStore, client: Client) {
  const table = `${escapeIdentifier(schema)}.lcm_message`
  const indexes = await textIndexes(client, schema)
  const merge = async () => {
    for (const { name } of indexes) await client.query('SELECT gin_clean_pending_list($1::regclass)', [name])
  }
  await merge()
  const { pages, logged } = await explainInsert(client, table)
  await client.query(copyStatement(table, 1_000_001, PENDING))
  const mergeStart = performance.now()
  await merge()
  const merging = performance.now() - mergeStart
  const vacuumStart = performance.now()
  await client.query(`VACUUM ${table}`)
  return {
    messages,
    depth: await depthOf(client, `${escapeIdentifier(schema)}.lcm_message_pkey`),
    /** Pages of 8 KB that plain inserts of one turn touch, and bytes of its log. */
    insertPages: pages,
    insertLogged: logged,
    /** Messages whose entries waited to be merged into the indexes of texts, and the milliseconds of merging them. */
    pending: PENDING,
    merging,
    vacuum: performance.now() - vacuumStart,
  }
}

/** Copies the first messages of the first session to its end. */
function copyStatement(table: string, seq: number, count: number): string {
  return `INSERT INTO ${table} SELECT copy.* FROM ${table} AS original,
      jsonb_populate_record(original, jsonb_build_object('seq', ${seq} + original.seq)) AS copy
    WHERE original.session = 1 AND original.seq < ${count}`
}

async function explainInsert(client: Client, table: string): Promise<{ pages: number; logged: number }> {
  const explain = 'EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON)'
  // Twice: the second one finds the catalogs in the caches of the connection.
  await client.query(`${explain} ${copyStatement(table, 2_000_001, TURN)}`)
  const { rows } = await client.query(`${explain} ${copyStatement(table, 3_000_001, TURN)}`)
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  const [source] = plan.Plans
  return { pages: touchedPages(plan) - touchedPages(source), logged: plan['WAL Bytes'] }
}

/** Levels above the leaves. Null where the extension is not there, or only for others. */
async function depthOf(client: Client, index: string): Promise<number | null> {
  try {
    await client.query('BEGIN')
    await client.query(`CREATE EXTENSION IF NOT EXISTS ${INSPECT}`)
    const { rows } = await client.query(`SELECT level FROM bt_metap(${escapeLiteral(index)})`)
    return Number(rows[0].level)
  } catch {
    return null
  } finally {
    await client.query('ROLLBACK')
  }
}
