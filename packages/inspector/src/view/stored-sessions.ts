import type { Message, TokenCounter } from '@palimpsest/core'
import type { SessionView, ViewMessage, ViewSummary } from './session-view.ts'
import { messageKind, toViewMessage } from './view-message.ts'
import type { SessionReader, ShownSession } from './view-recorder.ts'

/** Sessions in stores that are not watched, such as those from before a restart. */
export interface StoredSessions {
  /** Lists sessions, newest first. Watched ones may be included. */
  list(): Promise<readonly ViewSummary[]>
  /** Reads a listed session without changing it; undefined if it no longer exists. */
  view(summary: ViewSummary): Promise<SessionView | undefined>
}

const KEPT = 16

export function createStoredFinder(stored: () => StoredSessions | undefined) {
  const known = new Map<string, ShownSession>()
  return async (id: string): Promise<ShownSession | undefined> => {
    const source = stored()
    const found = known.get(id)
    if (found !== undefined || source === undefined) return found
    const summary = (await source.list()).find((session) => session.id === id)
    if (summary === undefined) return undefined
    const shown = readSession(summary, async () => {
      const view = await source.view(summary)
      if (view === undefined) throw new Error(`the session ${id} is not stored any more`)
      return view
    })
    known.set(id, shown)
    for (const oldest of [...known.keys()].slice(0, -KEPT)) known.delete(oldest)
    return shown
  }
}

export interface StoredViewInput {
  readonly summary: ViewSummary
  readonly messages: readonly { readonly message: Message; readonly at: number | null }[]
  readonly reader: SessionReader
  readonly tokens: TokenCounter
  /** Prompt size from which the engine compacts, in tokens. */
  readonly threshold: number
}

/** Creates the view of a session that was not watched: messages, summaries and decisions, without requests. */
export async function createStoredView(input: StoredViewInput): Promise<SessionView> {
  const { summary, messages, reader, tokens, threshold } = input
  const { id, title, source, engine, model, startedAt, window } = summary
  const said = messages.map(
    ({ message, at }, seq): ViewMessage => ({
      ...toViewMessage(message),
      ...{ kind: messageKind(message), tokens: tokens.countMessage(message), seq },
      ...(at !== null && { at }),
    }),
  )
  return {
    ...{ format: 1, id, title, source, engine, model, window },
    ...{ threshold, startedAt, isLive: false, messages: said, requests: [], compactions: [] },
    ...{ warnings: [], bill: null },
    summaryNodes: await reader.summaryNodes(),
    decisions: await reader.decisions(),
  }
}

function readSession(summary: ViewSummary, read: (id: string) => Promise<SessionView>): ShownSession {
  const { id } = summary
  return { id, summary: () => summary, view: async (before) => before ?? read(id), subscribe: () => () => {} }
}
