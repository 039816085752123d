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
  type Usage,
} from '@palimpsest/core'
import { createMessageTable, type MessageTable } from './message-table.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import type { ViewCompaction, ViewDelta, ViewMessage, ViewRequest, ViewWarning } from './session-view.ts'
import { createSummaryLineage, type SummaryLineage } from './summary-lineage.ts'
import { createTranscriptIndex, type TranscriptIndex } from './transcript-index.ts'
import { createViewBillMeter, plannedCache, reportedCache, type ViewBillMeter } from './view-bill.ts'
import type { ViewRecorderInput } from './view-recorder.ts'

export type ViewFacts = Required<ViewDelta['facts']>

const TITLE_LENGTH = 80

/** The record of a session so far. Its methods never throw. */
export class ViewRecord {
  readonly messages: readonly ViewMessage[]
  readonly requests: ViewRequest[] = []
  readonly compactions: ViewCompaction[] = []
  readonly warnings: ViewWarning[] = []
  /** Grows with every change. */
  revision = 0
  readonly #id: string
  readonly #input: Omit<ViewRecorderInput, 'session'>
  /** Undefined when it has ended: views outlive sessions, and what an engine holds may be large. */
  #session: ContextSession | undefined
  /** Of an engine that has ended. */
  #limits = { window: 0, threshold: 0 }
  readonly #touch: () => void
  readonly #engine: string
  readonly #table: MessageTable
  readonly #transcript: TranscriptIndex
  readonly #log: RequestLog
  readonly #lineage: SummaryLineage
  readonly #meter: ViewBillMeter | undefined
  /** For each request, the revision at which it changed last. */
  readonly #changedAt: number[] = []
  #startedAt: number | null
  #title: string | undefined
  #tools: { readonly list: readonly ToolSchema[]; readonly tokens: number } = { list: [], tokens: 0 }
  #isLive: boolean
  #hasFailed = false

  constructor(input: ViewRecorderInput, touch: () => void) {
    const { session, ...about } = input
    const { tokens, clock, prices, summaries = 'the engine' } = about
    const table = createMessageTable(tokens)
    const transcript = createTranscriptIndex(table)
    const sizeOf = (place: number) => table.rows[transcript.rowAt(place)]?.tokens ?? 0
    this.messages = table.rows
    this.#id = session.id
    this.#input = about
    this.#session = session
    this.#touch = touch
    this.#engine = engineTitle(session.engine)
    this.#table = table
    this.#transcript = transcript
    this.#log = createRequestLog(table, transcript, tokens)
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

  /** Number of requests at the beginning that are unchanged since a revision. */
  unchangedRequests(since: number): number {
    let count = this.requests.length
    while (count > 0 && (this.#changedAt[count - 1] ?? 0) > since) count--
    return count
  }

  request(prepared: Prepared, hostTools: readonly ToolSchema[] | undefined): void {
    const { tokens, prices } = this.#input
    this.#guarded(() => {
      const at = this.#time()
      this.#startedAt ??= at
      if (hostTools !== undefined) this.#tools = { list: hostTools, tokens: tokens.countTools(hostTools) }
      this.#follow(at)
      this.#title ??= titleOf(this.#transcript.messages)
      const request = this.#log.add(prepared, this.#tools.tokens, at)
      this.requests.push({ ...request, cache: plannedCache(prepared.cache, prices), answer: null })
      this.#changedAt.push(this.revision + 1)
      this.#lineage.shown(this.#log.shown.some((row) => this.#table.rows[row]?.kind === 'summary'))
      this.#meter?.add({
        messages: this.#log.shown.map(this.#table.source),
        tools: prepared.tools,
        transcript: this.#transcript.messages,
        hostTools: this.#tools.list,
      })
    })
  }

  answered({ message }: ObservedResponse): void {
    this.#guarded(() => {
      for (const answer of message === undefined ? [] : copyMessages([message]))
        this.#update({ answer: this.#transcript.answered(answer, this.#time()) })
    })
  }

  pinged(usage: Usage): void {
    this.#guarded(() => this.#meter?.pinged?.(usage))
  }

  event(event: SessionEvent): void {
    this.#guarded(() => {
      if (event.type === 'compaction') this.#compacted(event.trigger, event.result, event.committed)
      else if (event.type === 'warning') this.#warn(event.warning.code, event.warning.message)
      else if (event.type === 'edited') this.#lineage.edited(event.from)
      else if (event.type === 'ended') this.#ended()
      else if (event.type === 'reset') {
        this.#transcript.follow([], this.#time())
        this.#lineage.clear()
      } else if (event.type === 'usage') {
        const cache = reportedCache(event.usage, this.#input.prices)
        this.#meter?.report?.(event.usage)
        this.#update({ reported: event.usage.promptTokens, ...(cache !== null && { cache }) })
      }
    })
  }

  /** A fact changed that only the stores know. */
  bump(): void {
    this.revision++
  }

  /** Something could not be recorded; told once. */
  fail(error: unknown): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#warn('view-incomplete', `not all of the session could be recorded: ${errorText(error)}`)
    this.#change()
  }

  #time(): number | null {
    const now = this.#input.clock.now()
    return now > 0 ? now : null
  }

  #change(): void {
    this.revision++
    this.#touch()
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
    this.#change()
  }

  #update(more: Partial<ViewRequest>): void {
    const index = this.requests.length - 1
    const last = this.requests[index]
    if (last === undefined) return
    this.requests[index] = { ...last, ...more }
    this.#changedAt[index] = this.revision + 1
  }

  #follow(at: number | null): void {
    if (this.#session !== undefined) this.#transcript.follow(this.#session.transcript, at)
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
