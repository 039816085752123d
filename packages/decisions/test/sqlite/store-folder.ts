import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import type { DecisionStore } from '../../src/store/decision-store.ts'

/** Folders and stores of the tests of a file; both are gone after each test. */
export function useFolders() {
  const folders: string[] = []
  const stores: DecisionStore[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const folder = (): string => {
    const path = mkdtempSync(join(tmpdir(), 'palimpsest-decisions-'))
    folders.push(path)
    return path
  }
  return {
    folder,
    /** A path at which nothing is. */
    path: (): string => join(folder(), 'store.db'),
    open(path: string, readOnly = false): DecisionStore {
      const store = createSqliteDecisionStore({ path, readOnly })
      stores.push(store)
      return store
    },
  }
}

/** The code of the error that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error as { code?: unknown }).code,
  )
}
