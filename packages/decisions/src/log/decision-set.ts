import type { Decision } from './decision.ts'

/** The decisions that a log amounts to. */
export interface DecisionSet {
  /** In the order of their first events. */
  readonly all: readonly Decision[]
  get(id: string): Decision | undefined
  /** Active and proposed ones of a slot, in any area. */
  ofSlot(slot: string): readonly Decision[]
}
