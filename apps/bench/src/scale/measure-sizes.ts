import type { Client } from 'pg'
import { escapeIdentifier } from 'pg'
import type { FilledStore } from './fill-store.ts'

/** A table or an index. */
export interface RelationSize {
  readonly name: string
  readonly kind: 'rows' | 'long values' | 'index'
  readonly bytes: number
  /** Of a table. */
  readonly rows?: number
}

/** What a filled store takes. */
export interface SizeFigures {
  readonly messages: number
  readonly sessions: number
  readonly relations: readonly RelationSize[]
  /** Of the messages as JSON, in characters. */
  readonly characters: number
  /** Milliseconds. */
  readonly writing: number
  readonly building: number
}

const TABLES = ['lcm_message', 'lcm_summary', 'lcm_frontier', 'lcm_session']

/** What tables and indexes of a store take on disk. */
export async function measureSizes(store: FilledStore, client: Client): Promise<SizeFigures> {
  const { schema, workload, messages, writing, building } = store
  const relations: RelationSize[] = []
  for (const name of TABLES) relations.push(...(await tableSizes(client, schema, name)))
  const { rows } = await client.query(
    `SELECT sum(characters) AS characters FROM ${escapeIdentifier(schema)}.lcm_session`,
  )
  const characters = Number(rows[0].characters)
  return { messages, sessions: workload.sessions, relations, characters, writing, building }
}

async function tableSizes(client: Client, schema: string, name: string): Promise<RelationSize[]> {
  const table = `${escapeIdentifier(schema)}.${name}`
  const { rows } = await client.query(
    `SELECT (SELECT count(*) FROM ${table}) AS rows, pg_relation_size($1) AS own,
       pg_table_size($1) - pg_relation_size($1) AS long,
       ARRAY (SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = $1::regclass ORDER BY 1) AS names,
       ARRAY (SELECT pg_relation_size(indexrelid) FROM pg_index WHERE indrelid = $1::regclass
              ORDER BY indexrelid::regclass::text) AS sizes`,
    [table],
  )
  const [{ rows: count, own, long, names, sizes }] = rows
  const indexes = (names as string[]).map((index, place): RelationSize => {
    return { name: index.split('.').at(-1) ?? index, kind: 'index', bytes: Number(sizes[place]) }
  })
  return [
    { name, kind: 'rows', bytes: Number(own), rows: Number(count) },
    // Texts that do not fit into a row's page, compressed; and maps of free space.
    { name, kind: 'long values', bytes: Number(long) },
    ...indexes,
  ]
}
