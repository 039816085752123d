import { casesFor, runCase } from '@palimpsest/sqlite-kit/store-suite'
import {
  appendCases,
  editCases,
  inputCases,
  longCases,
  readCases,
  roundTripCases,
} from './store-tests/message-cases.ts'
import { candidateCases, matchingCases } from './store-tests/search-cases.ts'
import { isolationCases, wholeStoreCases } from './store-tests/session-cases.ts'
import type { StoreCase, StoreTarget } from './store-tests/store-case.ts'
import { commitCases, forgetCases, leaseCases } from './store-tests/summary-cases.ts'

export type { StoreCase, StoreHarness, StoreTarget } from './store-tests/store-case.ts'

/** The suite that every store passes, in the order of its ids. */
export const storeCases: readonly StoreCase[] = [
  ...[...appendCases, ...roundTripCases, ...readCases, ...longCases, ...editCases, ...isolationCases],
  ...[...candidateCases, ...commitCases, ...leaseCases, ...forgetCases, ...wholeStoreCases],
  ...[...matchingCases, ...inputCases],
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
