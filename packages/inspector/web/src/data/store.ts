import { useSyncExternalStore } from 'react'

/** A value that changes, as React reads it. */
export interface Store<T> {
  get(): T
  /** Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** A value that never changes. */
export const constantStore = <T>(value: T): Store<T> => ({ get: () => value, subscribe: () => () => {} })

/** The value of a store, now and whenever it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)
