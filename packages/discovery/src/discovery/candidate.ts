import type { EngineEntry } from './discovery-types.ts'
import { errorLine } from './one-line.ts'

/** A source's knowledge of an engine before it is loaded. */
export interface Candidate {
  readonly entry: EngineEntry
  /** The name that it claims among all engines; none when what it has is no valid name. */
  readonly claim?: string
  /** Imports it: its definition, or a module that exports it by default. None when it is not available. */
  readonly load?: () => Promise<unknown>
}

/** An entry before it is known whether the engine is available. */
export type EntryFacts = Omit<EngineEntry, 'available' | 'reason' | 'chosen'>

/** A candidate that cannot be chosen, because of an error or a reason in words. */
export function unavailable(facts: EntryFacts, error: unknown, claim?: string): Candidate {
  return {
    entry: { ...facts, available: false, reason: errorLine(error) },
    ...(claim !== undefined && { claim }),
  }
}
