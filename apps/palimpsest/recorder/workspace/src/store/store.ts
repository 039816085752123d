import type { Entry } from '../entry.ts'

/** Where entries are kept. Everything above this line asks only for these members. */
export interface Store {
  /** Adds the entries in the given order, all or none. */
  append(entries: readonly Entry[]): void
  get(id: string): Entry | undefined
  /** Every entry in the order in which it was added. */
  all(): readonly Entry[]
  /** The id that was added last. */
  lastId(): string | undefined
  close(): void
}
