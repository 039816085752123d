import type { Connection } from '@palimpsest/sqlite-kit'
import { createRecordChecker } from '../dump/create-record-checker.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import { createRestore, type Restored, type SessionRestore } from './restore-session.ts'

/**
 * Writes sessions from their records, all or nothing. It holds the file for itself until the last record has come,
 * on a connection of its own: memory holds one record at a time, and whoever else writes waits.
 */
export async function restoreSessions(
  connection: Connection,
  records: AsyncIterable<DumpRecord>,
): Promise<Restored> {
  return connection.writeAlone(async (sql) => {
    const checker = createRecordChecker()
    const restored = { sessions: 0, messages: 0 }
    let current: SessionRestore | undefined
    const finish = (): void => {
      const added = current?.finish()
      restored.sessions += added?.sessions ?? 0
      restored.messages += added?.messages ?? 0
    }
    for await (const record of records) {
      checker.take(record)
      if (record.type !== 'session') current?.take(record)
      else {
        finish()
        current = createRestore(sql, record)
      }
    }
    checker.end()
    finish()
    return restored
  })
}
