import { type Client, escapeIdentifier } from 'pg'
import { type FilledStore, textIndexes } from './fill-store.ts'

export type UpkeepFigures = Awaited<ReturnType<typeof measureUpkeep>>

/** Messages that are new. */
const NEW = 1_000

/** Milliseconds of a vacuum behind new messages, whose entries are merged into the indexes of texts before. */
export async function measureUpkeep({ schema, messages }: FilledStore, client: Client) {
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
