import type { DecisionStore } from '../store/decision-store.ts'

/** A store as its author hands it to the suite. */
export interface StoreTarget {
  /** What reports call it. */
  readonly name: string
  /** A new store without content. What it writes to disk goes into the folder, which is empty. */
  create(folder: string): DecisionStore
  /** The store of a folder, opened again with all that is in it. Absent for a store that keeps nothing. */
  reopen?(folder: string): DecisionStore
}

/** What a case works with. Every store that it opens is closed after it. */
export interface StoreHarness {
  create(): DecisionStore
  /** Another handle on what a store of this harness has written. @throws Error when the target cannot. */
  reopen(store: DecisionStore): DecisionStore
}

/** One promise of the interface. */
export interface StoreCase {
  /** Stable, such as `D12`: reports and exceptions name it. */
  readonly id: string
  /** Completes the sentence "the store …". */
  readonly title: string
  /** Only for stores that can be opened again. */
  readonly requires?: 'reopen'
  run(harness: StoreHarness): Promise<void>
}
