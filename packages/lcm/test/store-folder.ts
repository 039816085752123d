import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { afterEach } from 'vitest'

/** Files of stores in a folder that goes with each test. */
export function useFolders() {
  let folder: string | undefined
  let files = 0
  const opened: Store[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    folder = undefined
  })
  return {
    path(): string {
      folder ??= mkdtempSync(join(tmpdir(), 'palimpsest-lcm-'))
      return join(folder, `${files++}.db`)
    },
    open(path: string): Store {
      const store = createSqliteStore({ path })
      opened.push(store)
      return store
    },
  }
}
