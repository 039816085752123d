import type { StoreCase } from '../store-case.ts'
import { appendCases } from './append.ts'
import { candidateCases } from './candidates.ts'
import { commitCases } from './commit.ts'
import { dumpCases } from './dump.ts'
import { editCases } from './edit.ts'
import { forgetCases } from './forget.ts'
import { forkCases } from './fork.ts'
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
  ...forkCases,
  ...leaseCases,
  ...forgetCases,
  ...wholeStoreCases,
  ...matchingCases,
  ...dumpCases,
  ...inputCases,
]
