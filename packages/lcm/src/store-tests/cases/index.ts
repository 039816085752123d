import { casesFor, runCase } from '@palimpsest/sqlite-kit/store-suite'
import type { StoreCase, StoreTarget } from '../store-case.ts'
import { appendCases } from './append.ts'
import { candidateCases } from './candidates.ts'
import { commitCases } from './commit.ts'
import { editCases } from './edit.ts'
import { forgetCases } from './forget.ts'
import { inputCases } from './input.ts'
import { isolationCases } from './isolation.ts'
import { leaseCases } from './lease.ts'
import { longCases } from './long.ts'
import { matchingCases } from './matching.ts'
import { readCases } from './read.ts'
import { roundTripCases } from './round-trip.ts'
import { wholeStoreCases } from './whole-store.ts'

/** The suite that every store passes, in the order of its ids. */
export const storeCases: readonly StoreCase[] = [
  ...appendCases,
  ...roundTripCases,
  ...readCases,
  ...longCases,
  ...editCases,
  ...isolationCases,
  ...candidateCases,
  ...commitCases,
  ...leaseCases,
  ...forgetCases,
  ...wholeStoreCases,
  ...matchingCases,
  ...inputCases,
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
