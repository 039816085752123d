import { casesFor, runCase } from '@palimpsest/sqlite-kit/store-suite'
import type { StoreCase, StoreTarget } from '../store-case.ts'
import { atomicCases } from './atomic.ts'
import { eventCases } from './events.ts'
import { jobCases } from './jobs.ts'
import { reopenCases } from './reopen.ts'
import { replaceCases } from './replace.ts'
import { sessionCases } from './sessions.ts'
import { sourceCases } from './sources.ts'

/** The suite that every store of decisions passes, in the order of its ids. */
export const storeCases: readonly StoreCase[] = [
  ...sourceCases,
  ...replaceCases,
  ...eventCases,
  ...jobCases,
  ...atomicCases,
  ...sessionCases,
  ...reopenCases,
]

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
