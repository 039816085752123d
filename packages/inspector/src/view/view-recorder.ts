import {
  type Clock,
  type ContextEngine,
  type ContextSession,
  copyMessages,
  errorText,
  type HostTool,
  isSpoken,
  type Message,
  messageText,
  type ObservedResponse,
  type Prepared,
  type PrepareOptions,
  type SessionEvent,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import type { CachePricing } from '@palimpsest/prompt-caching'
import { createMessageTable, type MessageTable } from './message-table.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import type {
  SessionView,
  ViewCompaction,
  ViewDecision,
  ViewFacts,
  ViewMessage,
  ViewRequest,
  ViewSource,
  ViewSummary,
  ViewSummaryNode,
  ViewWarning,
} from './session-view.ts'
import { createSummaryLineage, type SummaryLineage } from './summary-lineage.ts'
import { createViewBillMeter, plannedCache, reportedCache, type ViewBillMeter } from './view-bill.ts'

const TITLE_LENGTH = 80

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

/** The record of a session so far. Its methods never throw. */
class ViewRecord {
  readonly messages: readonly ViewMessage[]
  readonly requests: ViewRequest[] = []
  readonly compactions: ViewCompaction[] = []
  readonly warnings: ViewWarning[] = []
  readonly #id: string
  readonly #input: Omit<ViewRecorderInput, 'session'>
  /** Undefined when it has ended: views outlive sessions, and what an engine holds may be large. */
  #session: ContextSession | undefined
  /** Of an engine that has ended. */
  #limits = { window: 0, threshold: 0 }
  readonly #touch: () => void
  readonly #engine: string
  readonly #table: MessageTable
  readonly #log: RequestLog
  readonly #lineage: SummaryLineage
  readonly #meter: ViewBillMeter | undefined
  #startedAt: number | null
  #title: string | undefined
  #tools: { readonly list: readonly ToolSchema[]; readonly tokens: number } = { list: [], tokens: 0 }
  #isLive: boolean
  #hasFailed = false

  constructor(input: ViewRecorderInput, touch: () => void) {
    const { session, ...about } = input
    const { tokens, clock, prices, summaries = 'the engine' } = about
    const table = createMessageTable(tokens)
    const sizeOf = (place: number) => table.rows[table.rowAt(place)]?.tokens ?? 0
    this.messages = table.rows
    this.#id = session.id
    this.#input = about
    this.#session = session
    this.#touch = touch
    this.#engine = engineTitle(session.engine)
    this.#table = table
    this.#log = createRequestLog(table, tokens)
    this.#lineage = createSummaryLineage(tokens, summaries, sizeOf)
    this.#meter = input.bill ?? (prices && createViewBillMeter({ prices, tokens, clock }))
    this.#startedAt = this.#time()
    this.#title = input.title
    this.#isLive = input.source !== 'replay'
  }

  /** All that is known without asking the engine's stores. */
  get facts(): Omit<ViewFacts, 'decisions'> {
    const { source = 'host', profile = null, model = null, summaries = 'the engine' } = this.#input
    return {
      ...{ title: this.#title ?? this.#id, source, engine: this.#engine, profile, model, summaries },
      startedAt: this.#startedAt,
      isLive: this.#isLive,
      ...(this.#session === undefined ? this.#limits : limitsOf(this.#session)),
      summaryNodes: this.#lineage.nodes,
      bill: this.#meter?.bill ?? null,
    }
  }

  request(prepared: Prepared, hostTools: readonly ToolSchema[] | undefined): void {
    const { tokens, prices } = this.#input
    this.#guarded(() => {
      const at = this.#time()
      this.#startedAt ??= at
      if (hostTools !== undefined) this.#tools = { list: hostTools, tokens: tokens.countTools(hostTools) }
      this.#follow(at)
      this.#title ??= titleOf(this.#table.transcript)
      const request = this.#log.add(prepared, this.#tools.tokens, at)
      this.requests.push({ ...request, cache: plannedCache(prepared.cache, prices), answer: null })
      this.#lineage.shown(this.#log.shown.some((row) => this.#table.rows[row]?.kind === 'summary'))
      this.#meter?.add({
        messages: this.#log.shown.map(this.#table.source),
        tools: prepared.tools,
        transcript: this.#table.transcript,
        hostTools: this.#tools.list,
      })
    })
  }

  answered({ message }: ObservedResponse): void {
    this.#guarded(() => {
      for (const answer of message === undefined ? [] : copyMessages([message]))
        this.#update({ answer: this.#table.answered(answer, this.#time()) })
    })
  }

  event(event: SessionEvent): void {
    this.#guarded(() => {
      if (event.type === 'compaction') this.#compacted(event)
      else if (event.type === 'warning') this.#warn(event.warning.code, event.warning.message)
      else if (event.type === 'edited') this.#lineage.edited(event.from)
      else if (event.type === 'ended') this.#ended()
      else if (event.type === 'reset') {
        this.#table.follow([], this.#time())
        this.#lineage.clear()
      } else if (event.type === 'usage') {
        const cache = reportedCache(event.usage, this.#input.prices)
        this.#meter?.report?.(event.usage)
        this.#update({ reported: event.usage.promptTokens, ...(cache !== null && { cache }) })
      }
    })
  }

  /** Something could not be recorded; reported once. */
  fail(error: unknown): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#warn('view-incomplete', `not all of the session could be recorded: ${errorText(error)}`)
    this.#touch()
  }

  #time(): number | null {
    const now = this.#input.clock.now()
    return now > 0 ? now : null
  }

  #warn(code: string, message: string): void {
    this.warnings.push({ request: this.requests.length, code, message })
  }

  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      // The next request is recorded as a whole: this one may have been recorded in part.
      this.#log.forget()
      this.fail(error)
    }
    this.#touch()
  }

  #update(more: Partial<ViewRequest>): void {
    const last = this.requests.pop()
    if (last !== undefined) this.requests.push({ ...last, ...more })
  }

  #follow(at: number | null): void {
    if (this.#session !== undefined) this.#table.follow(this.#session.transcript, at)
  }

  #ended(): void {
    this.#isLive = false
    if (this.#session !== undefined) this.#limits = limitsOf(this.#session)
    this.#session = undefined
    this.#tools = { list: [], tokens: 0 }
    this.#log.forget()
  }

  #compacted({
    trigger,
    result,
    origins,
    committed,
  }: Extract<SessionEvent, { readonly type: 'compaction' }>): void {
    const { outcome, reason, tokensBefore, tokensAfter, summary: kept = '' } = result
    const request = this.requests.length
    this.compactions.push({ request, trigger, outcome, reason, tokensBefore, tokensAfter, kept })
    if (!committed) return
    this.#follow(this.#time())
    this.#lineage.committed(result, origins, this.#time())
  }
}

function limitsOf({ engine }: ContextSession): { readonly window: number; readonly threshold: number } {
  return { window: engine.contextLength, threshold: engine.thresholdTokens }
}

/** With the one that compacts inside it: `decisions over lcm`. */
function engineTitle(engine: ContextEngine): string {
  const { name } = engine
  try {
    const { compaction } = engine.status().details ?? {}
    return typeof compaction === 'string' && compaction !== name ? `${name} over ${compaction}` : name
  } catch {
    // A third-party engine may throw.
    return name
  }
}

function titleOf(messages: readonly Message[]): string | undefined {
  const first = messages.find(isSpoken)
  const line = first === undefined ? '' : messageText(first).trim().split('\n', 1)[0]
  return line ? [...line].slice(0, TITLE_LENGTH).join('') : undefined
}
