import { createSqliteStore } from '../src/sqlite.ts'
import type { LcmStore } from '../src/store/lcm-store.ts'

/** A store that is gone with the test. */
export const memoryStore = (): LcmStore => createSqliteStore({ path: ':memory:' })
