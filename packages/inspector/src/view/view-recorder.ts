import type {
  Clock,
  ContextSession,
  HostTool,
  Prepared,
  PrepareOptions,
  TokenCounter,
} from '@palimpsest/core'
import type { CachePricing } from '@palimpsest/prompt-caching'
import type { SessionView, ViewDecision, ViewSource, ViewSummary, ViewSummaryNode } from './session-view.ts'
import type { ViewBillMeter } from './view-bill.ts'
import { ViewRecord } from './view-record.ts'

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

/** A session as the page shows it. */
export interface ShownSession {
  readonly id: string
  summary(): ViewSummary
  /** Everything until now; asks the engine's stores for summaries and decisions. `before`: what was read last. */
  view(before?: SessionView): Promise<SessionView>
  /** Called when there is something new. Returns how to stop. */
  subscribe(listener: () => void): () => void
}

/** Records what goes through a session, for the page. */
export interface ViewRecorder extends ShownSession {
  /** The session to use instead of the one that is watched: each `prepare`, `observe` and `recover` is recorded. */
  readonly session: ContextSession
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

export function createViewRecorder(input: ViewRecorderInput): ViewRecorder {
  const { session, reader } = input
  const { id } = session
  const listeners = new Set<() => void>()
  const touch = (): void => {
    for (const listener of listeners) {
      try {
        listener()
      } catch {
        // A listener's faults are its own.
      }
    }
  }
  const record = new ViewRecord(input, touch)
  session.subscribe((event) => record.event(event))
  let nodes: readonly ViewSummaryNode[] = []
  let decisions: readonly ViewDecision[] | null = null
  let asked: Promise<void> = Promise.resolve()

  const askStores = async (): Promise<void> => {
    if (reader === undefined) return
    try {
      nodes = await reader.summaryNodes()
      decisions = await reader.decisions()
    } catch (error) {
      if (record.facts.isLive) record.fail(error)
    }
  }

  return {
    id,
    session: watchSession(session, record, touch),
    summary() {
      const { title, source, engine, model, isLive, startedAt, window } = record.facts
      const { requests, messages, compactions } = record
      const tokens = Object.values(requests.at(-1)?.tokens ?? {}).reduce((sum, count) => sum + count, 0)
      return {
        ...{ id, title, source, engine, model, isLive, startedAt, tokens, window },
        ...{ requests: requests.length, messages: messages.length, compactions: compactions.length },
      }
    },
    async view() {
      asked = asked.then(askStores)
      await asked
      const { facts, messages, requests, compactions, warnings } = record
      return {
        ...{ format: 1, id, ...facts, decisions },
        ...(nodes.length > 0 && { summaryNodes: nodes }),
        ...{ messages: [...messages], requests: [...requests] },
        ...{ compactions: [...compactions], warnings: [...warnings] },
      }
    },
    subscribe(listener) {
      const own = () => listener()
      listeners.add(own)
      return () => void listeners.delete(own)
    },
  }
}

/**
 * The same session, which tells a record of each request and answer. `touch`: only the engine knows whether something
 * changed.
 */
function watchSession(
  session: ContextSession,
  record: Pick<ViewRecord, 'request' | 'answered'>,
  touch: () => void,
): ContextSession {
  const watched: Partial<ContextSession> = {
    async prepare(messages, options) {
      const prepared = await session.prepare(messages, options)
      record.request(prepared as Prepared, functionsOf(options) ?? [])
      return prepared
    },
    async observe(response) {
      await session.observe(response)
      record.answered(response)
    },
    async recover(error, options) {
      const prepared = await session.recover(error, options)
      record.request(prepared as Prepared, functionsOf(options))
      return prepared
    },
    callTool: (name, args, options) => session.callTool(name, args, options).finally(touch),
    answerCall: (call, options) => session.answerCall(call, options).finally(touch),
    undoCompaction: () => session.undoCompaction().finally(touch),
    updateModel: (update) => session.updateModel(update).finally(touch),
  }
  return new Proxy(session, {
    get: (target, name) => Reflect.get(name in watched ? watched : target, name),
  })
}

function functionsOf<Tool extends HostTool>(options: PrepareOptions<Tool> | undefined) {
  return (options as PrepareOptions | undefined)?.tools
}
