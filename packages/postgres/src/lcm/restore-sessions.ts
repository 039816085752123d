import type { DumpRecord } from '@palimpsest/lcm'
import { createRecordChecker, packName } from '@palimpsest/lcm/store-kit'
import type { Database } from '../database/create-database.ts'
import type { Sql } from '../database/sql.ts'
import { createRestore, type Restored, type SessionRestore } from './restore-session.ts'

/** Records that are written at a time, and characters of the messages among them. */
const MAX_RECORDS = 200
const MAX_CHARACTERS = 4_000_000

/** "LCMr" in ASCII, for an advisory lock: two restores at once into a schema would wait for each other's sessions. */
const LOCK = 0x4c434d72

/**
 * Writes sessions from their records, all or nothing, in one transaction. Only who writes to the same sessions waits;
 * memory holds some records at a time.
 */
export function restoreSessions(
  database: Database,
  records: AsyncIterable<DumpRecord>,
): Promise<{ readonly sessions: number; readonly messages: number }> {
  return database.writeOnce({}, async (sql) => {
    await sql.run('SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))', LOCK)
    const checker = createRecordChecker()
    const restored = { sessions: 0, messages: 0 }
    let current: SessionRestore | undefined
    let batch = createBatch()
    const flush = async (): Promise<void> => {
      if (current !== undefined) await writeBatch(current, batch)
      batch = createBatch()
    }
    const finish = async (): Promise<void> => {
      await flush()
      add(restored, await current?.finish())
    }
    for await (const record of records) {
      checker.take(record)
      if (record.type === 'session') {
        await finish()
        await tellPrincipal(sql, record.principal)
        current = await createRestore(sql, record)
        continue
      }
      if (!takes(batch, record)) await flush()
      batch.records.push(record)
      if (record.type === 'message') batch.characters += record.json.length
    }
    checker.end()
    await finish()
    return restored
  })
}

type OwnRecord = Exclude<DumpRecord, { type: 'session' }>

interface Batch {
  readonly records: OwnRecord[]
  characters: number
}

function createBatch(): Batch {
  return { records: [], characters: 0 }
}

/** Whether a record may go with those before it. */
function takes({ records, characters }: Batch, { type }: OwnRecord): boolean {
  const sameType = records[0] === undefined || records[0].type === type
  return sameType && records.length < MAX_RECORDS && characters < MAX_CHARACTERS
}

async function writeBatch(session: SessionRestore, { records }: Batch): Promise<void> {
  await session.messages(records.filter((record) => record.type === 'message'))
  await session.summaries(records.filter((record) => record.type === 'summary'))
  await session.frontiers(records.filter((record) => record.type === 'frontier'))
}

function add(sum: { sessions: number; messages: number }, part: Restored | undefined): void {
  sum.sessions += part?.sessions ?? 0
  sum.messages += part?.messages ?? 0
}

/** For row-level security: the sessions may belong to many. */
async function tellPrincipal(sql: Sql, principal: string): Promise<void> {
  await sql.run(`SELECT set_config('palimpsest.principal', $1, true)`, packName(principal))
}
