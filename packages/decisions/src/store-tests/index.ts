import { casesFor, runCase } from '@palimpsest/sqlite-kit/store-suite'
import { batchCases } from './batch-cases.ts'
import { logCases } from './log-cases.ts'
import { sessionCases } from './session-cases.ts'
import type { StoreCase, StoreTarget } from './talk.ts'

/** The suite that every store of decisions passes. */
export const storeCases: readonly StoreCase[] = [...batchCases, ...logCases, ...sessionCases]

/**
 * The cases that a target can run, for a test runner to register one by one:
 *
 * ```ts
 * for (const storeCase of storeCasesFor(target))
 *   test(`${storeCase.id} ${storeCase.title}`, () => runStoreCase(storeCase, target))
 * ```
 */
export function storeCasesFor(target: StoreTarget): readonly StoreCase[] {
  return casesFor(storeCases, target)
}

/** Runs a case on new stores in a folder of its own, and removes both. Rejects when the store breaks the promise. */
export function runStoreCase(storeCase: StoreCase, target: StoreTarget): Promise<void> {
  return runCase(storeCase, target)
}
