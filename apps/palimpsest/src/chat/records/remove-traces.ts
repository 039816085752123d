import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { recordPaths } from './record-paths.ts'

/** Removes what a chat in which nothing was said has left: its lock, and the stores of its engines. */
export async function removeTraces(home: string, id: string): Promise<void> {
  const { lock, store } = recordPaths(home, id)
  const names = await readdir(dirname(store)).catch(() => [])
  const stores = names.filter((name) => name.startsWith(`${basename(store)}.`))
  for (const path of [lock, ...stores.map((name) => join(dirname(store), name))])
    await rm(path, { force: true })
}
