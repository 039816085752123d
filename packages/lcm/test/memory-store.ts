import type { Store } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'

/** A store that is gone with the test. */
export const memoryStore = (): Store => createSqliteStore({ path: ':memory:' })
