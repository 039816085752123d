import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DecisionStore } from '../store/decision-store.ts'
import { storeCases } from './cases/index.ts'
import type { StoreCase, StoreHarness, StoreTarget } from './store-case.ts'

/**
 * The cases that a target can run, for a test runner to register one by one:
 *
 * ```ts
 * for (const storeCase of storeCasesFor(target))
 *   test(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
 * ```
 */
export function storeCasesFor(target: StoreTarget): readonly StoreCase[] {
  return storeCases.filter(({ requires }) => requires !== 'reopen' || target.reopen !== undefined)
}

/** Runs a case on new stores in a folder of its own, and removes both. Rejects when the store breaks the promise. */
export async function runStoreCase(storeCase: StoreCase, target: StoreTarget): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'palimpsest-decisions-'))
  const folders = new Map<DecisionStore, string>()
  const keep = (store: DecisionStore, folder: string): DecisionStore => {
    folders.set(store, folder)
    return store
  }
  const harness: StoreHarness = {
    create() {
      const folder = join(root, String(folders.size))
      mkdirSync(folder)
      return keep(target.create(folder), folder)
    },
    reopen(store) {
      const folder = folders.get(store)
      if (folder === undefined || target.reopen === undefined)
        throw new Error(`${target.name} cannot be reopened`)
      return keep(target.reopen(folder), folder)
    },
  }
  try {
    await storeCase.run(harness)
  } finally {
    await Promise.allSettled([...folders.keys()].map((store) => store.close()))
    rmSync(root, { recursive: true, force: true })
  }
}
