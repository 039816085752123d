import type { Decision } from './decision.ts'

/** The decisions that a log amounts to. */
export interface DecisionSet {
  /** In the order of their first events. */
  readonly all: readonly Decision[]
  /**
   * Ids in the order in which decisions began or changed, some more than once; another list when they were worked out anew.
   * A set without it is read as a whole each time.
   */
  readonly changes?: readonly string[]
  get(id: string): Decision | undefined
  /** Active and proposed ones of a slot, in any area. */
  ofSlot(slot: string): readonly Decision[]
}
