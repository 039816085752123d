import type { SessionView, ViewSummary } from '../../../src/view/session-view.ts'
import { type Api, ApiError } from './api.ts'
import { followSession } from './follow-session.ts'
import { followingStore, type WhileSeen } from './following-store.ts'
import { type FollowOptions, keepFollowing } from './keep-following.ts'
import { PageDataError } from './page-data-error.ts'
import type { Loaded, PageSource } from './page-source.ts'
import type { Store } from './store.ts'

type Reader<T> = (emit: (value: T) => void, signal: AbortSignal) => Promise<void>

interface LiveOptions {
  readonly api: Api
  /** Waits before a new attempt. */
  readonly wait: FollowOptions['wait']
  readonly whileSeen: WhileSeen
}

/** The sessions of the service that the page came from, as they go on. */
export function liveSource(options: LiveOptions): PageSource {
  const { api } = options
  const stores = new Map<string, Store<Loaded<SessionView>>>()
  return {
    isLive: true,
    engines: [],
    sessions: liveStore(options, (emit, signal) => followSessions(api, emit, signal)),
    open(id) {
      const store =
        stores.get(id) ?? liveStore(options, (emit, signal) => followSession(api, id, emit, signal))
      stores.set(id, store)
      return store
    },
  }
}

async function followSessions(
  api: Api,
  emit: (sessions: readonly ViewSummary[]) => void,
  signal: AbortSignal,
): Promise<void> {
  emit(sessionsOf(await api.json('api/sessions', signal)))
  for await (const { event, data } of api.events('api/events', signal))
    if (event === 'sessions') emit(sessionsOf(JSON.parse(data)))
}

function sessionsOf(answer: unknown): readonly ViewSummary[] {
  if (typeof answer === 'object' && answer !== null && 'sessions' in answer && Array.isArray(answer.sessions))
    return answer.sessions
  throw new PageDataError('What answers here is not a service of Palimpsest.')
}

/** Keeps what was read last while the connection is away. */
function liveStore<T>({ wait, whileSeen }: LiveOptions, reader: Reader<T>): Store<Loaded<T>> {
  let last: { readonly value: T } | undefined
  const follow = (emit: (state: Loaded<T>) => void, signal: AbortSignal) =>
    keepFollowing({
      signal,
      wait,
      read: (alive) =>
        reader((value) => {
          alive()
          last = { value }
          emit({ status: 'ready', value, connection: 'live' })
        }, signal),
      onLost: (error) =>
        emit(
          last
            ? { status: 'ready', value: last.value, connection: isGone(error) ? 'gone' : 'lost' }
            : { status: 'failed', message: sentenceOf(error) },
        ),
      onEnd: (error) =>
        emit(error instanceof ApiError ? { status: 'locked' } : { status: 'failed', message: error.message }),
    })
  return followingStore<Loaded<T>>({ initial: { status: 'loading' }, follow, whileSeen })
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

function sentenceOf(error: unknown): string {
  if (isGone(error))
    return 'The service does not have this session (any more). The page goes on looking for it.'
  if (error instanceof ApiError) return `${error.message} The page tries again.`
  return 'The service can not be reached. The page tries again.'
}
