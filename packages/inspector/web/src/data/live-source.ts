import type { FeedEvent, SessionView, ViewDelta, ViewListDelta } from '../../../src/view/session-view.ts'
import { type Api, ApiError } from './api.ts'
import type { Loaded, PageSource, Store } from './page-source.ts'

interface LiveOptions {
  readonly api: Api
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly whileSeen: (run: (signal: AbortSignal) => void) => () => void
}

export function liveSource(options: LiveOptions): PageSource {
  const stores = new Map<string, Store<Loaded<SessionView>>>()
  return {
    isLive: true,
    mayShowSecrets: false,
    engines: [],
    sessions: liveStore(options, 'api/events', (event) => ('sessions' in event ? event.sessions : undefined)),
    open(id) {
      const path = `api/sessions/${encodeURIComponent(id)}/events`
      const store = stores.get(id) ?? liveStore<SessionView>(options, path, nextView)
      stores.set(id, store)
      return store
    },
  }
}

/** @throws RangeError for a change of a missing view, which is then loaded again. */
function nextView(event: FeedEvent, view: SessionView | undefined): SessionView | undefined {
  if ('view' in event) return event.view
  if (!('delta' in event)) return view
  if (view === undefined) throw new RangeError('the view is missing')
  return applyDelta(view, event.delta)
}

const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000

/** Follows a stream while it has listeners, reconnecting after failures. The last value stays meanwhile. */
function liveStore<T>(
  { api, wait, whileSeen }: LiveOptions,
  path: string,
  next: (event: FeedEvent, value: T | undefined) => T | undefined,
): Store<Loaded<T>> {
  let state: Loaded<T> = { status: 'loading' }
  let stop = () => {}
  const listeners = new Set<() => void>()
  const emit = (to: Loaded<T>) => {
    state = to
    for (const listener of listeners) listener()
  }

  const read = async (signal: AbortSignal, alive: () => void): Promise<void> => {
    let value: T | undefined
    for await (const event of api.events(path, signal)) {
      value = next(event as FeedEvent, value)
      if (value === undefined) continue
      alive()
      emit({ status: 'ready', value, connection: 'live' })
    }
  }

  const follow = async (signal: AbortSignal): Promise<void> => {
    let delay = FIRST_WAIT
    while (!signal.aborted) {
      const failure: unknown = await read(signal, () => {
        delay = FIRST_WAIT
      }).then(
        () => undefined,
        (error) => error,
      )
      if (signal.aborted) return
      if (statusOf(failure) === 401) return emit({ status: 'locked' })
      emit(
        state.status === 'ready'
          ? { ...state, connection: statusOf(failure) === 404 ? 'gone' : 'lost' }
          : { status: 'failed', message: sentenceOf(failure) },
      )
      await wait(delay, signal).catch(() => {})
      delay = Math.min(delay * 2, LONGEST_WAIT)
    }
  }

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stop = whileSeen((signal) => void follow(signal))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.status : undefined

function sentenceOf(error: unknown): string {
  if (statusOf(error) === 404)
    return 'The service does not have this session (any more). The page goes on looking for it.'
  if (error instanceof ApiError) return `${error.message} The page tries again.`
  return 'The service can not be reached. The page tries again.'
}

/** @throws RangeError for a delta that starts after the view's end. */
export function applyDelta(view: SessionView, delta: ViewDelta): SessionView {
  return {
    ...view,
    ...delta.facts,
    messages: append(view.messages, delta.messages),
    requests: append(view.requests, delta.requests),
    compactions: append(view.compactions, delta.compactions),
    warnings: append(view.warnings, delta.warnings),
  }
}

function append<T>(list: readonly T[], { from, items }: ViewListDelta<T>): readonly T[] {
  if (from > list.length) throw new RangeError('the delta begins after the end of the view')
  return from === list.length && items.length === 0 ? list : [...list.slice(0, from), ...items]
}
