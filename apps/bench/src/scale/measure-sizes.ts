import { type Client, escapeIdentifier } from 'pg'
import type { FilledStore } from './fill-store.ts'

export type SizeFigures = Awaited<ReturnType<typeof measureSizes>>

const TABLES = ['lcm_message', 'lcm_summary', 'lcm_frontier', 'lcm_session']

export async function measureSizes(store: FilledStore, client: Client) {
  const { schema, workload, messages } = store
  const relations: Awaited<ReturnType<typeof tableSizes>> = []
  for (const name of TABLES) relations.push(...(await tableSizes(client, schema, name)))
  const { rows } = await client.query(
    `SELECT sum(characters) AS characters FROM ${escapeIdentifier(schema)}.lcm_session`,
  )
  const characters = Number(rows[0].characters)
  return { messages, sessions: workload.sessions, relations, characters }
}

async function tableSizes(client: Client, schema: string, name: string) {
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
  const sizeOf = (of: string, kind: 'rows' | 'long values' | 'index', bytes: string, rows?: number) => ({
    name: of,
    kind,
    bytes: Number(bytes),
    ...(rows !== undefined && { rows }),
  })
  return [
    sizeOf(name, 'rows', own, Number(count)),
    // Texts that do not fit into a row's page, compressed; and maps of free space.
    sizeOf(name, 'long values', long),
    ...(names as string[]).map((index, place) =>
      sizeOf(index.split('.').at(-1) ?? index, 'index', sizes[place]),
    ),
  ]
}
