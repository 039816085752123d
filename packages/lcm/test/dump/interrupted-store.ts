import type { LcmStore } from '../../src/store/lcm-store.ts'

/** What a store says that is interrupted. */
export class Interruption extends Error {}

/** Steps that two stores take together: each call and each record is one. */
export interface Steps {
  /** So many were taken. */
  taken: number
  /** The one that is not taken any more, and none behind it. */
  readonly last: number
}

/** A store that stops working at a step, as a process does that is killed. */
export function interrupted(store: LcmStore, steps: Steps): LcmStore {
  const step = (): void => {
    if (++steps.taken >= steps.last) throw new Interruption()
  }
  return {
    ...store,
    async find(ref) {
      step()
      return store.find(ref)
    },
    async list(query) {
      step()
      return store.list(query)
    },
    async *dump(ref) {
      for await (const record of store.dump(ref)) {
        step()
        yield record
      }
      step()
    },
    async restore(records) {
      step()
      const result = await store.restore(records)
      // Everything was written, and nobody was told.
      step()
      return result
    },
  }
}
