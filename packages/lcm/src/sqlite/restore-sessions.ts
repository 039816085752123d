import { StoreError } from '../errors/store-error.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { Connection } from './connection.ts'
import { createRestore, invalidDump, type Restored } from './restore-session.ts'

/**
 * Writes sessions from their records, all or nothing. It holds the file for itself until the last record has come,
 * on a connection of its own: memory holds one record at a time, and whoever else writes waits.
 */
export async function restoreSessions(
  connection: Connection,
  records: AsyncIterable<DumpRecord>,
): Promise<Restored> {
  return connection.writeAlone(async (sql) => {
    const restored = { sessions: 0, messages: 0 }
    let current: ReturnType<typeof createRestore> | undefined
    const finish = (): void => {
      const added = current?.finish()
      restored.sessions += added?.sessions ?? 0
      restored.messages += added?.messages ?? 0
    }
    const begun = new Set<string>()
    for await (const record of records) {
      if (record.type === 'session') {
        finish()
        const id = JSON.stringify([record.principal, record.key])
        if (begun.has(id)) throw invalidDump(`the session ${record.key} comes twice`)
        begun.add(id)
        current = createRestore(sql, record)
      } else if (current === undefined) throw invalidDump(`a ${record.type} comes before its session`)
      else writeRecord(current, record)
    }
    finish()
    return restored
  })
}

function writeRecord(
  restore: ReturnType<typeof createRestore>,
  record: Exclude<DumpRecord, { type: 'session' }>,
): void {
  try {
    if (record.type === 'message') restore.message(record)
    else if (record.type === 'summary') restore.summary(record)
    else restore.frontier(record)
  } catch (error) {
    // A summary that condenses what is missing would be refused in a commit too.
    if (StoreError.isInstance(error) && error.code === 'INVALID_FRONTIER')
      throw invalidDump(error.message, error)
    throw error
  }
}
