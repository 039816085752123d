import { useSyncExternalStore } from 'react'

export interface Store<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

export const constantStore = <T>(value: T): Store<T> => ({ get: () => value, subscribe: () => () => {} })

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)
