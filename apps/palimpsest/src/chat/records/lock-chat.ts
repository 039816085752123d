import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorText } from '@palimpsest/core'
import { resultCode } from '@palimpsest/sqlite-kit'
import { HOME_ADVICE, makeHomeFolder } from '../../home-folder.ts'
import { UsageError } from '../../usage-error.ts'

/** SQLite's code for a file that another process has locked. */
const BUSY = 5

/**
 * Makes a chat this process's own until the returned function is called. The lock is SQLite's on an empty file, which
 * the operating system takes back with the process, however that ends: there is no stale one.
 *
 * @throws UsageError when another process has the chat open.
 */
export function lockChat(path: string, id: string): () => void {
  makeHomeFolder(dirname(path))
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    const why =
      resultCode(cause) === BUSY
        ? 'is open in another process; close it there, or begin a new one'
        : `cannot be locked (${path}: ${errorText(cause)}); ${HOME_ADVICE}`
    throw new UsageError(`the session ${id} ${why}`, { cause })
  }
  const held = database
  return () => held.close()
}
