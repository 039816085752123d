import type { SessionView, ViewDelta, ViewListDelta, ViewSummary } from '../../../src/view/session-view.ts'
import type { ViewCursor } from '../../../src/view/view-recorder.ts'
import { type Api, ApiError } from './api.ts'
import { checkView, PageDataError } from './check-view.ts'
import { followingStore, type Loaded, type PageSource, type Store, type WhileSeen } from './page-source.ts'

type Reader<T> = (emit: (value: T) => void, signal: AbortSignal) => Promise<void>

interface LiveOptions {
  readonly api: Api
  readonly wait: FollowOptions['wait']
  readonly whileSeen: WhileSeen
}

export function liveSource(options: LiveOptions): PageSource {
  const { api } = options
  const stores = new Map<string, Store<Loaded<SessionView>>>()
  return {
    isLive: true,
    mayShowSecrets: false,
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

const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000

interface FollowOptions {
  readonly read: (alive: () => void) => Promise<void>
  readonly onLost: (error: unknown) => void
  /** Called instead when trying again is of no use. */
  readonly onEnd: (error: ApiError | PageDataError) => void
  readonly signal: AbortSignal
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** Reads from a source again and again, whatever happens to it, until aborted. */
async function keepFollowing({ read, onLost, onEnd, signal, wait }: FollowOptions): Promise<void> {
  let delay = FIRST_WAIT
  while (!signal.aborted) {
    let failure: unknown
    try {
      await read(() => {
        delay = FIRST_WAIT
      })
    } catch (error) {
      failure = error
    }
    if (signal.aborted) return
    if (isFinal(failure)) return onEnd(failure)
    onLost(failure)
    await wait(delay, signal).catch(() => {})
    delay = Math.min(delay * 2, LONGEST_WAIT)
  }
}

const isFinal = (error: unknown): error is ApiError | PageDataError =>
  error instanceof PageDataError || (error instanceof ApiError && error.status === 401)

const pathOf = (id: string) => `api/sessions/${encodeURIComponent(id)}`

/** Loads a session and emits every new state until the connection ends or the view was replaced. */
async function followSession(
  api: Api,
  id: string,
  emit: (view: SessionView) => void,
  signal: AbortSignal,
): Promise<void> {
  const loaded = await api.json(pathOf(id), signal)
  if (!isLoadedView(loaded)) throw new PageDataError('What answers here is not a service of Palimpsest.')
  let view = checkView(loaded.view)
  emit(view)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(loaded.cursor)) query.set(name, String(value))
  for await (const { event, data } of api.events(`${pathOf(id)}/events?${query}`, signal)) {
    if (event === 'gone') return
    if (event !== 'delta') continue
    const delta: ViewDelta = JSON.parse(data)
    // Throws when something in between was missed: then the whole is loaded again.
    view = applyDelta(view, delta)
    emit(view)
  }
}

const isLoadedView = (value: unknown): value is { view: unknown; cursor: ViewCursor } =>
  typeof value === 'object' &&
  value !== null &&
  'view' in value &&
  'cursor' in value &&
  typeof value.cursor === 'object' &&
  value.cursor !== null

/** @throws RangeError for a delta that begins behind the end of the view, or is of another one: the whole is needed again. */
export function applyDelta(view: SessionView, delta: ViewDelta): SessionView {
  if (delta.id !== view.id) throw new RangeError('the delta is of another view')
  return {
    ...view,
    ...delta.facts,
    messages: append(view.messages, delta.messages),
    requests: append(view.requests, delta.requests),
    compactions: append(view.compactions, delta.compactions),
    warnings: append(view.warnings, delta.warnings),
  }
}

/** The same list when there is nothing new in it. */
function append<T>(list: readonly T[], { from, items }: ViewListDelta<T>): readonly T[] {
  if (from > list.length) throw new RangeError('the delta begins behind the end of the view')
  return from === list.length && items.length === 0 ? list : [...list.slice(0, from), ...items]
}
