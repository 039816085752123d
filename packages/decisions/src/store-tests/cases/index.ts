import type { StoreCase } from '../store-case.ts'
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
