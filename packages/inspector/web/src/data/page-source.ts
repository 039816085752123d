import { useSyncExternalStore } from 'react'
import type { SessionView, ViewSummary } from '../../../src/view/session-view.ts'

/** Runs something while a person looks at the page, and ends it in between. Returns how to end it for good. */
export type WhileSeen = (run: (signal: AbortSignal) => void) => () => void

interface FollowingStoreOptions<T> {
  readonly initial: T
  readonly follow: (emit: (value: T) => void, signal: AbortSignal) => Promise<void>
  readonly whileSeen: WhileSeen
}

/** A store that follows a source while it has listeners. The last value stays. */
export function followingStore<T>({ initial, follow, whileSeen }: FollowingStoreOptions<T>): Store<T> {
  let value = initial
  let stop = () => {}
  const listeners = new Set<() => void>()

  const run = (signal: AbortSignal) => {
    const emit = (next: T) => {
      if (signal.aborted) return
      value = next
      for (const listener of listeners) listener()
    }
    void follow(emit, signal)
  }

  return {
    get: () => value,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stop = whileSeen(run)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
  }
}

export interface Store<T> {
  get(): T
  subscribe(listener: () => void): () => void
}

export const constantStore = <T>(value: T): Store<T> => ({ get: () => value, subscribe: () => () => {} })

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)

export interface PageSource {
  readonly isLive: boolean
  /** A file that was written without taking secrets out of it. */
  readonly mayShowSecrets: boolean
  /** Of a file with one conversation: its views, one for each engine, the first one first. Else empty. */
  readonly engines: readonly ViewSummary[]
  readonly sessions: Store<Loaded<readonly ViewSummary[]>>
  open(id: string): Store<Loaded<SessionView>>
}

export type Loaded<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'locked' }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'ready'; readonly value: T; readonly connection: Connection }

/** `lost`: the connection broke. `gone`: the service does not have it any more. The page tries again in both. */
type Connection = 'file' | 'live' | 'lost' | 'gone'

export const stillLoading = constantStore<Loaded<never>>({ status: 'loading' })
