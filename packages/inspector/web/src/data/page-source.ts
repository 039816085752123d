import { useSyncExternalStore } from 'react'
import type { SessionView, ViewSummary } from '../../../src/view/session-view.ts'

export interface Store<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

export const constantStore = <T>(value: T): Store<T> => ({ get: () => value, subscribe: () => () => {} })

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)

export interface PageSource {
  readonly isLive: boolean
  readonly mayShowSecrets: boolean
  readonly engines: readonly ViewSummary[]
  readonly sessions: Store<Loaded<readonly ViewSummary[]>>
  open(id: string): Store<Loaded<SessionView>>
}

export type Loaded<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'locked' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'ready'; readonly value: T; readonly connection: Connection }

/** `lost`: the connection broke. `gone`: the service no longer has the session. Both are retried. */
type Connection = 'file' | 'live' | 'lost' | 'gone'

export const stillLoading = constantStore<Loaded<never>>({ status: 'loading' })
