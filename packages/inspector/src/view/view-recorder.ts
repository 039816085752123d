import type { Clock, ContextSession, TokenCounter, Usage } from '@palimpsest/core'
import type { CachePricing } from '@palimpsest/prompt-caching'
import type {
  SessionView,
  ViewDecision,
  ViewDelta,
  ViewSource,
  ViewSummary,
  ViewSummaryNode,
} from './session-view.ts'
import type { ViewBillMeter } from './view-bill.ts'

/**
 * Reads what an engine's stores know of a session. Asked for every delta, one question at a time; unchanged lists stay the
 * same.
 */
export interface SessionReader {
  /** Every summary that was ever made, children before parents; empty for an engine without a store of them. */
  summaryNodes(): Promise<readonly ViewSummaryNode[]>
  /** Null for an engine that keeps no decisions. */
  decisions(): Promise<readonly ViewDecision[] | null>
}

/** Facts about a session that it does not hold itself. */
export interface WatchOptions {
  /** Default: the beginning of the first user message. */
  readonly title?: string
  /** The program that runs the session. Default `host`. */
  readonly source?: ViewSource
  /** Profile of the engine, null for an engine without profiles. Default null. */
  readonly profile?: string | null
  /** The model that answers, as `provider:model`; null when that is not known. Default null. */
  readonly model?: string | null
  /** The writer of the summaries, for people. Default `the engine`. */
  readonly summaries?: string
  /** Prices for what the provider reports or the session's planner expects. Default: none. */
  readonly prices?: CachePricing
  /** Counts what the session costs. Default: one by `prices`, none without. */
  readonly bill?: ViewBillMeter
  /** Reads the stores of the engine. Default: nothing is known but what the session shows. */
  readonly reader?: SessionReader
}

export interface ViewRecorderInput extends WatchOptions {
  readonly session: ContextSession
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** The part of a view that a page has, by the lengths of its lists: `ViewRecorder.delta` goes on from there. */
export interface ViewCursor {
  readonly revision: number
  readonly messages: number
  readonly requests: number
  readonly compactions: number
  readonly warnings: number
}

type ViewLists = Pick<SessionView, 'messages' | 'requests' | 'compactions' | 'warnings'>

/** The cursor of a page that has the whole of the lists. */
export function cursorOf(revision: number, lists: ViewLists): ViewCursor {
  const { messages, requests, compactions, warnings } = lists
  return {
    revision,
    messages: messages.length,
    requests: requests.length,
    compactions: compactions.length,
    warnings: warnings.length,
  }
}

/** A session as the page shows it. */
export interface ShownSession {
  readonly id: string
  summary(): ViewSummary
  /** Everything until now; asks the engine's stores for summaries and decisions. */
  view(): Promise<{ readonly view: SessionView; readonly cursor: ViewCursor }>
  /** The changes since then. */
  delta(since: ViewCursor): Promise<{ readonly delta: ViewDelta; readonly cursor: ViewCursor }>
  /** Called when there is something new. Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** Records what goes through a session, for the page. */
export interface ViewRecorder extends ShownSession {
  /** The session to use instead of the one that is watched: each `prepare`, `observe` and `recover` is recorded. */
  readonly session: ContextSession
  /** A request without an answer was sent for it. */
  pinged(usage: Usage): void
}

/** The sessions of a page. */
export interface ShownSessions {
  find(id: string): ShownSession | undefined
  /** One that is not watched. */
  findStored(id: string): Promise<ShownSession | undefined>
  list(): Promise<readonly ViewSummary[]>
  /** Called when another session comes, or one goes. Returns how to stop. */
  subscribe(listener: () => void): () => void
}
