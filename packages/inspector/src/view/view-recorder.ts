import {
  atOnce,
  type Clock,
  type ContextEngine,
  type ContextSession,
  copyMessages,
  errorText,
  type HostTool,
  inSlices,
  isObject,
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
import { type BillMeter, createBillMeter } from './bill-meter.ts'
import { createMessageTable, type MessageTable } from './message-table.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import type {
  SessionView,
  ViewCompaction,
  ViewDecision,
  ViewRequest,
  ViewSource,
  ViewSummary,
  ViewSummaryNode,
  ViewWarning,
} from './session-view.ts'
import { createSummaryLineage, type SummaryLineage } from './summary-lineage.ts'
import { plannedCache, reportedCache } from './view-cache.ts'

const TITLE_LENGTH = 80
/** More new messages, or more tokens of them, are recorded in slices, with the sizes that the session knows. */
const FAR_BEHIND = { messages: 2_000, tokens: 200_000 }

/**
 * Reads a session from an engine's stores. Called for every delta, one call at a time; unchanged lists must keep their
 * identity.
 */
export interface SessionReader {
  /** Every summary ever made, children before parents; empty for an engine that stores none. */
  summaryNodes(): Promise<readonly ViewSummaryNode[]>
  /** Null if the engine keeps no decisions. */
  decisions(): Promise<readonly ViewDecision[] | null>
}

/** Facts about a session that it does not contain. */
export interface WatchOptions {
  /** The title. Default: the start of the first user message. */
  readonly title?: string
  /** The program that runs the session. Default `host`. */
  readonly source?: ViewSource
  /** The answering model, as `provider:model`; null if unknown. Default null. */
  readonly model?: string | null
  /** The writer of summaries, for people. Default `the engine`. */
  readonly summaries?: string
  /** Prices for reported or planned usage. Default: none. */
  readonly prices?: CachePricing
  /** Computes the session's cost. Default: a meter with `prices`, or none. */
  readonly bill?: BillMeter
  /** Reads the engine's stores. Default: only the session itself is read. */
  readonly reader?: SessionReader
}

export interface ViewRecorderInput extends WatchOptions {
  readonly session: ContextSession
  readonly tokens: TokenCounter
  readonly clock: Clock
}

export interface ShownSession {
  readonly id: string
  summary(): ViewSummary
  view(before?: SessionView): Promise<SessionView>
  subscribe(listener: () => void): () => void
}

export interface ShownSessions {
  find(id: string): ShownSession | undefined
  findStored(id: string): Promise<ShownSession | undefined>
  list(): Promise<readonly ViewSummary[]>
  subscribe(listener: () => void): () => void
}

export function createViewRecorder(input: ViewRecorderInput) {
  const recorder = new ViewRecorder(input)
  input.session.subscribe((event) => recorder.event(event))
  return { recorder: recorder as ShownSession, session: watchSession(input.session, recorder) }
}

function watchSession(session: ContextSession, recorder: ViewRecorder): ContextSession {
  // Only the engine knows if something changed.
  const touch = () => recorder.touch()
  const watched: Partial<ContextSession> = {
    async prepare(messages, options) {
      const prepared = await session.prepare(messages, options)
      if (recorder.isFarBehind) await recorder.catchUp()
      recorder.request(prepared as Prepared, functionsOf(options) ?? [])
      return prepared
    },
    async observe(response) {
      await session.observe(response)
      recorder.answered(response)
    },
    async recover(error, options) {
      const prepared = await session.recover(error, options)
      recorder.request(prepared as Prepared, functionsOf(options))
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

class ViewRecorder implements ShownSession {
  readonly id: string
  readonly #input: Omit<ViewRecorderInput, 'session'>
  /** Undefined after the end, because views outlive sessions and an engine may hold much memory. */
  #session: ContextSession | undefined
  #limits: Pick<SessionView, 'window' | 'threshold'>
  readonly #engine: string
  readonly #listeners = new Set<() => void>()
  readonly #requests: ViewRequest[] = []
  readonly #compactions: ViewCompaction[] = []
  readonly #warnings: ViewWarning[] = []
  readonly #table: MessageTable
  readonly #log: RequestLog
  readonly #lineage: SummaryLineage
  readonly #meter: BillMeter | undefined
  #writer: string
  #startedAt: number | undefined
  #title: string | undefined
  #tools: readonly ToolSchema[] = []
  #isLive: boolean
  #hasFailed = false
  #nodes: readonly ViewSummaryNode[] = []
  #decisions: readonly ViewDecision[] | null = null
  #details: Readonly<Record<string, unknown>> = {}
  #asked: Promise<void> = Promise.resolve()

  constructor({ session, ...about }: ViewRecorderInput) {
    const { tokens, clock, prices, bill, summaries = 'the engine' } = about
    this.id = session.id
    this.#input = about
    this.#session = session
    this.#limits = limitsOf(session)
    this.#engine = engineTitle(session.engine)
    this.#table = createMessageTable(tokens)
    this.#log = createRequestLog(this.#table, tokens)
    this.#lineage = createSummaryLineage(this.#table)
    this.#meter = bill ?? (prices && createBillMeter({ prices, tokens, clock }))
    this.#writer = summaries
    this.#startedAt = this.#time()
    this.#title = about.title
    this.#isLive = about.source !== 'replay'
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  touch(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch {
        // A listener's error is not the session's.
      }
    }
  }

  summary(): ViewSummary {
    const { requests, messages, compactions, ...facts } = this.#view()
    const tokens = Object.values(requests.at(-1)?.tokens ?? {}).reduce((sum, count) => sum + count, 0)
    const { id, title, source, engine, model, isLive, startedAt, window } = facts
    return {
      ...{ id, title, source, engine, model, isLive, startedAt, tokens, window },
      ...{ requests: requests.length, messages: messages.length, compactions: compactions.length },
    }
  }

  async view(): Promise<SessionView> {
    this.#asked = this.#asked.then(() => this.#askStores())
    await this.#asked
    return this.#view()
  }

  request(prepared: Prepared, hostTools: readonly ToolSchema[] | undefined): void {
    const { tokens, prices } = this.#input
    this.#guarded(() => {
      const at = this.#time()
      this.#startedAt ??= at
      this.#tools = hostTools ?? this.#tools
      this.#follow(at)
      this.#title ??= titleOf(this.#table.transcript)
      const request = this.#log.add(prepared, tokens.countTools(this.#tools), at)
      this.#requests.push({ ...request, cache: plannedCache(prepared.cache, prices) })
      this.#lineage.shown(this.#log.shown, prepared.origins, { writer: this.#writer, at: at ?? null })
      this.#meter?.add({
        messages: this.#log.shown.map(this.#table.source),
        tools: prepared.tools,
        plan: prepared.cache,
        transcript: this.#table.transcript,
        hostTools: this.#tools,
      })
    })
  }

  answered({ message }: ObservedResponse): void {
    this.#guarded(() => {
      for (const answer of message === undefined ? [] : copyMessages([message]))
        this.#table.answered(answer, this.#time())
    })
  }

  event(event: SessionEvent): void {
    this.#guarded(() => {
      if (event.type === 'compaction') this.#compacted(event)
      else if (event.type === 'warning') this.#warn(event.warning.code, event.warning.message)
      else if (event.type === 'ended') this.#ended()
      else if (event.type === 'reset') this.#follow(this.#time())
      else if (event.type === 'usage') {
        const cache = reportedCache(event.usage, this.#input.prices)
        this.#meter?.report(event.usage)
        const last = this.#requests.pop()
        if (last !== undefined)
          this.#requests.push({ ...last, reported: event.usage.promptTokens, cache: cache ?? last.cache })
      }
    })
  }

  async #askStores(): Promise<void> {
    const { reader } = this.#input
    if (reader === undefined) return
    try {
      this.#nodes = await reader.summaryNodes()
      this.#decisions = await reader.decisions()
    } catch (error) {
      if (this.#isLive) this.#fail(error)
    }
  }

  #view(): SessionView {
    const { source = 'host', model = null, summaries = 'the engine' } = this.#input
    if (this.#session !== undefined) {
      this.#limits = limitsOf(this.#session)
      this.#details = detailsOf(this.#session.engine)
    }
    const { refused, extraction } = this.#details
    return {
      ...{ format: 1, id: this.id, title: this.#title ?? this.id, source, engine: this.#engine, model },
      summaries,
      ...{ startedAt: this.#startedAt ?? null, isLive: this.#isLive, ...this.#limits },
      summaryNodes: this.#nodes.length > 0 ? this.#nodes : this.#lineage.nodes,
      ...(isObject(refused) && { hasReader: isObject(extraction) }),
      ...{ decisions: this.#decisions, bill: this.#meter?.bill(this.#details) ?? null },
      ...{ messages: [...this.#table.rows], requests: [...this.#requests] },
      ...{ compactions: [...this.#compactions], warnings: [...this.#warnings] },
    }
  }

  #fail(error: unknown): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#warn('view-incomplete', `not all of the session could be recorded: ${errorText(error)}`)
    this.touch()
  }

  #time(): number | undefined {
    return this.#input.clock.now() || undefined
  }

  #warn(code: string, message: string): void {
    this.#warnings.push({ request: this.#requests.length, code, message })
  }

  #guarded(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#log.forget()
      this.#fail(error)
    }
    this.touch()
  }

  #follow(at: number | undefined): void {
    if (this.#session !== undefined) atOnce(this.#table.follow(this.#session.transcript, at))
  }

  get isFarBehind(): boolean {
    if (this.#session === undefined) return false
    const added = this.#session.log?.entries.slice(this.#table.transcript.length) ?? []
    return (
      added.length > FAR_BEHIND.messages ||
      added.reduce((sum, { tokens }) => sum + tokens, 0) > FAR_BEHIND.tokens
    )
  }

  async catchUp(): Promise<void> {
    if (this.#session === undefined) return
    const { transcript, log } = this.#session
    const sizeAt = (seq: number) => log?.entries[seq]?.tokens
    await inSlices(this.#table.follow(transcript, this.#time(), sizeAt)).catch((error) => this.#fail(error))
  }

  #ended(): void {
    this.#isLive = false
    // No request came after the last messages.
    this.#follow(this.#time())
    if (this.#session !== undefined) {
      this.#limits = limitsOf(this.#session)
      this.#details = detailsOf(this.#session.engine)
    }
    this.#session = undefined
    this.#tools = []
    this.#log.forget()
  }

  #compacted({ trigger, result, committed }: Extract<SessionEvent, { readonly type: 'compaction' }>): void {
    if (committed) this.#meter?.compacted(result)
    const { outcome, reason, tokensBefore, tokensAfter, summary: kept = '' } = result
    const request = this.#requests.length
    if (this.#session !== undefined) this.#limits = limitsOf(this.#session)
    const made = { request, trigger, outcome, reason, tokensBefore, tokensAfter, kept }
    this.#compactions.push({ ...made, limits: this.#limits })
    if (reason === 'summarised-without-model') this.#writer = 'extractive'
    else if (reason === 'summarised') this.#writer = this.#input.summaries ?? 'the engine'
  }
}

function limitsOf({ engine }: ContextSession): Pick<SessionView, 'window' | 'threshold'> {
  return { window: engine.contextLength, threshold: engine.thresholdTokens }
}

function engineTitle(engine: ContextEngine): string {
  const { name } = engine
  const { compaction } = detailsOf(engine)
  return typeof compaction === 'string' && compaction !== name ? `${name} over ${compaction}` : name
}

function detailsOf(engine: ContextEngine): Readonly<Record<string, unknown>> {
  try {
    return engine.status().details ?? {}
  } catch {
    return {}
  }
}

function titleOf(messages: readonly Message[]): string | undefined {
  const first = messages.find(isSpoken)
  const line = first === undefined ? '' : messageText(first).trim().split('\n', 1)[0]
  return line ? [...line].slice(0, TITLE_LENGTH).join('') : undefined
}
