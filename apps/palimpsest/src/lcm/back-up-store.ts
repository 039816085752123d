import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'

/**
 * Copies the file of a store, with what stands in its write-ahead log, while others may use it. The copy is
 * `<file>.before-repair-<n>`, readable by nobody else. Returns its path.
 */
export async function backUpStore(path: string): Promise<string> {
  let number = 1
  while (existsSync(`${path}.before-repair-${number}`)) number++
  const copy = `${path}.before-repair-${number}`
  const made = await open(copy, 'wx', 0o600)
  await made.close()
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    await backup(source, copy)
  } finally {
    source.close()
  }
  return copy
}
