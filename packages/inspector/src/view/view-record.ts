import {
  type CompressResult,
  type ContextEngine,
  copyMessages,
  errorText,
  isSummary,
  type Message,
  messageText,
  type ObservedResponse,
  type Prepared,
  type SessionEvent,
  type ToolSchema,
} from '@palimpsest/core'
import { createMessageTable } from './message-table.ts'
import { createRequestLog } from './request-log.ts'
import type {
  ViewCompaction,
  ViewDelta,
  ViewMessage,
  ViewRequest,
  ViewSummaryNode,
  ViewWarning,
} from './session-view.ts'
import { createSummaryLineage } from './summary-lineage.ts'
import { createTranscriptIndex } from './transcript-index.ts'
import { createViewBillMeter, plannedCache, reportedCache } from './view-bill.ts'
import type { ViewRecorderInput } from './view-recorder.ts'

/** Everything that a view has besides its lists. */
export type ViewFacts = Required<ViewDelta['facts']>

/** What went through a session so far. Nothing that it is told can make it throw. */
export interface ViewRecord {
  readonly messages: readonly ViewMessage[]
  readonly requests: readonly ViewRequest[]
  readonly compactions: readonly ViewCompaction[]
  readonly warnings: readonly ViewWarning[]
  /** Grows with every change. */
  readonly revision: number
  /** All that is known without asking the engine's stores. */
  readonly facts: Omit<ViewFacts, 'decisions'>
  /** How many requests at the beginning are as they were at a revision. */
  unchangedRequests(revision: number): number
  request(prepared: Prepared, hostTools: readonly ToolSchema[] | undefined): void
  answered(response: ObservedResponse): void
  event(event: SessionEvent): void
  /** A fact changed that only the stores know. */
  bump(): void
  /** Something could not be recorded; told once. */
  fail(error: unknown): void
}

/** Characters of a title that is made from what the user said. */
const TITLE_LENGTH = 80

export function createViewRecord(input: ViewRecorderInput, touch: () => void): ViewRecord {
  const { session, source = 'host', profile = null, model = null, tokens, clock, prices } = input
  const { summaries = 'the engine' } = input
  const table = createMessageTable(tokens)
  const transcript = createTranscriptIndex(table)
  const log = createRequestLog(table, transcript, tokens)
  const sizeOf = (place: number) => table.rows[transcript.rowAt(place)]?.tokens ?? 0
  const lineage = createSummaryLineage(tokens, summaries, sizeOf)
  const meter = input.bill ?? (prices && createViewBillMeter({ prices, tokens, clock }))
  const time = () => (clock.now() > 0 ? clock.now() : null)
  const engine = engineTitle(session.engine)
  const requests: ViewRequest[] = []
  /** For each request, the revision at which it changed last. */
  const changedAt: number[] = []
  const compactions: ViewCompaction[] = []
  const warnings: ViewWarning[] = []
  let startedAt = time()
  let title = input.title
  let tools: { readonly list: readonly ToolSchema[]; readonly tokens: number } = { list: [], tokens: 0 }
  let revision = 0
  let isLive = source !== 'replay'
  let hasFailed = false

  const change = (): void => {
    revision++
    touch()
  }

  const warn = (code: string, message: string): void => {
    warnings.push({ request: requests.length, code, message })
  }

  const fail = (error: unknown): void => {
    if (hasFailed) return
    hasFailed = true
    warn('view-incomplete', `not all of the session could be recorded: ${errorText(error)}`)
    change()
  }

  const guarded = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      // The next request is recorded as a whole: who knows how far this one went.
      log.forget()
      fail(error)
    }
    change()
  }

  const update = (more: Partial<ViewRequest>): void => {
    const index = requests.length - 1
    const last = requests[index]
    if (last === undefined) return
    requests[index] = { ...last, ...more }
    changedAt[index] = revision + 1
  }

  const compacted = (trigger: string, result: CompressResult, isCommitted: boolean): void => {
    const { outcome, reason, tokensBefore, tokensAfter, summary = '' } = result
    compactions.push({
      ...{ request: requests.length, trigger, outcome, reason, tokensBefore, tokensAfter, kept: summary },
    })
    if (!isCommitted) return
    transcript.follow(session.transcript, time())
    lineage.committed(result, time())
  }

  return {
    messages: table.rows,
    requests,
    compactions,
    warnings,
    get revision() {
      return revision
    },
    get facts() {
      return {
        title: title ?? session.id,
        source,
        engine,
        profile,
        model,
        summaries,
        startedAt,
        isLive,
        window: session.engine.contextLength,
        threshold: session.engine.thresholdTokens,
        summaryNodes: lineage.nodes as readonly ViewSummaryNode[],
        bill: meter?.bill ?? null,
      }
    },
    unchangedRequests(since) {
      let count = requests.length
      while (count > 0 && (changedAt[count - 1] ?? 0) > since) count--
      return count
    },
    request: (prepared, hostTools) =>
      guarded(() => {
        const at = time()
        startedAt ??= at
        if (hostTools !== undefined) tools = { list: hostTools, tokens: tokens.countTools(hostTools) }
        transcript.follow(session.transcript, at)
        title ??= titleOf(transcript.messages)
        const request = log.add(prepared, tools.tokens, at)
        requests.push({ ...request, cache: plannedCache(prepared.cache, prices), answer: null })
        changedAt.push(revision + 1)
        lineage.shown(log.shown.some((row) => table.rows[row]?.kind === 'summary'))
        meter?.add({
          messages: log.shown.map(table.source),
          tools: prepared.tools,
          transcript: transcript.messages,
          hostTools: tools.list,
        })
      }),
    answered: ({ message }) =>
      guarded(() => {
        for (const answer of message === undefined ? [] : copyMessages([message]))
          update({ answer: transcript.answered(answer, time()) })
      }),
    event: (event) =>
      guarded(() => {
        if (event.type === 'compaction') compacted(event.trigger, event.result, event.committed)
        else if (event.type === 'warning') warn(event.warning.code, event.warning.message)
        else if (event.type === 'edited') lineage.edited(event.from)
        else if (event.type === 'ended') isLive = false
        else if (event.type === 'reset') {
          transcript.follow([], time())
          lineage.clear()
        } else if (event.type === 'usage') {
          const cache = reportedCache(event.usage, prices)
          if (cache !== null) update({ cache })
        }
      }),
    bump() {
      revision++
    },
    fail,
  }
}

/** With the one that compacts inside it: `decisions over lcm`. */
function engineTitle(engine: ContextEngine): string {
  const { name } = engine
  try {
    const { compaction } = engine.status().details ?? {}
    return typeof compaction === 'string' && compaction !== name ? `${name} over ${compaction}` : name
  } catch {
    // An engine that somebody else wrote.
    return name
  }
}

/** The beginning of what the user said first. */
function titleOf(messages: readonly Message[]): string | undefined {
  const first = messages.find((message) => message.role === 'user' && !isSummary(message))
  const line = first === undefined ? '' : messageText(first).trim().split('\n', 1)[0]
  return line ? [...line].slice(0, TITLE_LENGTH).join('') : undefined
}
