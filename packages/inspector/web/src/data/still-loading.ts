import type { Loaded } from './page-source.ts'
import { constantStore } from './store.ts'

/** Stands for a session where none is asked for. */
export const stillLoading = constantStore<Loaded<never>>({ status: 'loading' })
