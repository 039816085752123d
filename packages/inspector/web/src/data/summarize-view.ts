import type { SessionView, ViewSummary } from '../../../src/view/session-view.ts'
import { promptTokens } from './prompt-tokens.ts'

/** One line of the list of sessions. */
export function summarizeView(view: SessionView): ViewSummary {
  const last = view.requests.at(-1)
  return {
    id: view.id,
    title: view.title,
    source: view.source,
    engine: view.engine,
    model: view.model,
    isLive: view.isLive,
    startedAt: view.startedAt,
    requests: view.requests.length,
    messages: view.messages.length,
    compactions: view.compactions.length,
    tokens: last ? promptTokens(last) : 0,
    window: view.window,
  }
}
