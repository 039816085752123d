import { applyDelta } from '../../../src/view/apply-delta.ts'
import type { SessionView, ViewDelta } from '../../../src/view/session-view.ts'
import type { ViewCursor } from '../../../src/view/view-recorder.ts'
import type { Api } from './api.ts'
import { checkView } from './check-view.ts'
import { PageDataError } from './page-data-error.ts'

/** Where a session's data is on the service, relative to the page. */
const pathOf = (id: string) => `api/sessions/${encodeURIComponent(id)}`

/**
 * Loads a session and applies what comes in until the connection ends or the view was replaced.
 * @param emit called with every new state
 */
export async function followSession(
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
