import {
  type CompressResult,
  type ContextEngine,
  type ContextSession,
  copyMessages,
  errorText,
  isSpoken,
  type Message,
  messageText,
  type ObservedResponse,
  type Prepared,
  type SessionEvent,
  type ToolSchema,
} from '@palimpsest/core'
import { createMessageTable, type MessageTable } from './message-table.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import type { ViewCompaction, ViewFacts, ViewMessage, ViewRequest, ViewWarning } from './session-view.ts'
import { createSummaryLineage, type SummaryLineage } from './summary-lineage.ts'
import { createViewBillMeter, plannedCache, reportedCache, type ViewBillMeter } from './view-bill.ts'
import type { ViewRecorderInput } from './view-recorder.ts'

const TITLE_LENGTH = 80

/** The record of a session so far. Its methods never throw. */
export class ViewRecord {
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
      if (event.type === 'compaction') this.#compacted(event.trigger, event.result, event.committed)
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

  /** Something could not be recorded; told once. */
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

  #compacted(trigger: string, result: CompressResult, isCommitted: boolean): void {
    const { outcome, reason, tokensBefore, tokensAfter, summary: kept = '' } = result
    const request = this.requests.length
    this.compactions.push({ request, trigger, outcome, reason, tokensBefore, tokensAfter, kept })
    if (!isCommitted) return
    this.#follow(this.#time())
    this.#lineage.committed(result, this.#time())
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
