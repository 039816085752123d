import { type Client, escapeIdentifier } from 'pg'
import type { FilledStore } from './fill-store.ts'

export type SizeFigures = Awaited<ReturnType<typeof measureSizes>>

const TABLES = ['lcm_message', 'lcm_summary', 'lcm_frontier', 'lcm_session']

/** Bytes of the tables of a store with their indexes, and the characters of its messages as JSON. */
export async function measureSizes({ schema, workload, messages }: FilledStore, client: Client) {
  const place = escapeIdentifier(schema)
  const { rows } = await client.query(
    `SELECT (SELECT sum(characters) FROM ${place}.lcm_session) AS characters,
       (SELECT sum(pg_total_relation_size(name::regclass)) FROM unnest($1::text[]) AS name) AS bytes`,
    [TABLES.map((name) => `${place}.${name}`)],
  )
  const [{ characters, bytes }] = rows
  return { messages, sessions: workload.sessions, bytes: Number(bytes), characters: Number(characters) }
}
