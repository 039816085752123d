import {
  type CompactionTiming,
  type ContextSession,
  checkProjection,
  countMessages,
  freezeMessage,
  type SessionEvent,
  type TokenCounter,
  type Warning,
} from '@palimpsest/core'
import { compareRecorded } from '@palimpsest/prompt-caching'
import type { Transcript } from '@palimpsest/transcripts'
import type { ReplayBill } from '../bill/replay-bill.ts'
import type { SessionParts } from '../engines/open-session.ts'
import { countDecisions } from './decision-counts.ts'
import { createUsageSource } from './recorded-usage.ts'
import type {
  RecordedProjection,
  ReplayCompaction,
  ReplayDetails,
  ReplayReport,
  ReplayViolation,
  ReplayWarning,
} from './replay-report.ts'

export interface ReplayInput {
  readonly transcript: Transcript
  /** Makes the session on the engine that is tried. */
  readonly open: (parts: SessionParts) => Promise<OpenedSession>
  /** The model's window, in tokens. */
  readonly window: number
  readonly enabled: boolean
  /** Default `threshold`. */
  readonly compactAt?: CompactionTiming
  /** What the requests cost; its planner places their breakpoints and its model summarises. */
  readonly bill: ReplayBill
  /** What summaries should dwell on. */
  readonly focusTopic: string | undefined
  readonly tokens: TokenCounter
  /** Default `replay`. */
  readonly sessionId?: string
  /** When the recording began, in milliseconds since the epoch. Default 0. */
  readonly startedAt?: number
  /** Messages of the transcript that the engine's store has already: the replay goes on behind them. Default 0. */
  readonly stored?: number
  /** Called after each request with how many are done. */
  readonly onProgress?: (done: number) => void
}

export interface OpenedSession {
  readonly session: ContextSession
  /** For the report only. Null for an engine without profiles. */
  readonly profile: string | null
  /** What there is to say about the engine before the first request. */
  readonly warnings: readonly Warning[]
}

export interface Replay {
  readonly report: ReplayReport
  readonly details: ReplayDetails
  readonly projections: readonly RecordedProjection[]
}

/** How many requests a transcript makes: one for each recorded answer that something precedes, and not all of it is stored. */
export function countRequests({ entries }: Transcript, stored = 0): number {
  return entries.filter(({ message }, index) => message.role === 'assistant' && isRequest(index, stored))
    .length
}

function isRequest(index: number, stored: number): boolean {
  return index > 0 && index >= stored
}

/**
 * Drives a session as the recorded host did: before each recorded answer the messages so far are prepared,
 * then the answer and its usage are observed. The laws are checked here too, on what the host would send.
 */
export async function replaySession(input: ReplayInput): Promise<Replay> {
  const { transcript, tokens, bill, focusTopic, sessionId = 'replay', startedAt = 0, stored = 0 } = input
  const messages = transcript.entries.map(({ message }) => freezeMessage(message))
  const native = transcript.nativeCompactions[0]?.beforeEntry ?? Number.POSITIVE_INFINITY
  const usage = createUsageSource()
  let now = startedAt
  const {
    session,
    profile,
    warnings: opened,
  } = await input.open({
    contextLength: input.window,
    enabled: input.enabled,
    compactAt: input.compactAt ?? 'threshold',
    tokens,
    clock: { now: () => now },
    sessionId,
    platform: 'replay',
    ...(transcript.model !== undefined && { modelName: transcript.model }),
    ...(bill.model !== undefined && { model: bill.model }),
    cache: bill.planner,
  })

  let request = 0
  let tokensSent = 0
  let tokensSentWithout = 0
  let tokensSoFar = 0
  let maxProjectionTokens = 0
  let tooLarge = 0
  let compacted = false
  const compactions: ReplayCompaction[] = []
  const details: { index: number; trigger: string; kept: string }[] = []
  const violations: ReplayViolation[] = []
  const warnings: ReplayWarning[] = opened.map((warning) => ({ request: 0, ...warning }))
  const projections: RecordedProjection[] = []
  let position = 0

  session.subscribe((event: SessionEvent) => {
    if (event.type === 'warning') warnings.push({ request, ...event.warning })
    if (event.type === 'violations')
      violations.push(...event.violations.map((violation) => ({ request, ...violation })))
    if (event.type !== 'compaction') return
    const { outcome, reason, tokensBefore, tokensAfter, changedFrom, summary } = event.result
    compactions.push({ request, outcome, reason, tokensBefore, tokensAfter, changedFrom })
    details.push({ index: position, trigger: event.trigger, kept: summary ?? '' })
    compacted ||= event.committed
    if (event.committed) bill.compacted(event.result)
  })

  const requests = countRequests(transcript, stored)
  for (const [index, { message, usage: recorded, timestamp }] of transcript.entries.entries()) {
    now = Math.max(now, timestamp ?? 0)
    if (message.role === 'assistant' && isRequest(index, stored)) {
      request++
      position = index
      const host = messages.slice(0, index)
      bill.start(transcript.entries[index - 1]?.timestamp)
      const prepared = await session.prepare(host, focusTopic === undefined ? {} : { focusTopic })
      const size = countMessages(tokens, prepared.messages)
      tokensSent += size
      tokensSentWithout += tokensSoFar
      maxProjectionTokens = Math.max(maxProjectionTokens, size)
      if (size > input.window) tooLarge++
      violations.push(
        ...checkProjection(prepared.messages, host).map((violation) => ({ request, ...violation })),
      )
      const isFirstAfter = prepared.compactions.some(({ outcome }) => outcome === 'compacted')
      if (isFirstAfter || request === requests) {
        projections.push({ request, index, tokens: size, messages: prepared.messages })
      }
      const asRecorded = !compacted && index < native
      await session.observe({ message, usage: usage.next(recorded, size, asRecorded) })
      input.onProgress?.(request)
    }
    tokensSoFar += tokens.countMessage(messages[index] ?? message)
  }
  const decisions = await countDecisions(session)
  await session.end()

  const report: ReplayReport = {
    engine: session.engine.name,
    profile,
    window: input.window,
    session: {
      messages: messages.length,
      tokens: tokensSoFar,
      userTurns: messages.filter(({ role }) => role === 'user').length,
    },
    requests,
    tokensSent,
    tokensSentWithout,
    compactions,
    maxProjectionTokens,
    tooLarge,
    decisions,
    bill: bill.report(bill.isRecorded ? compareRecorded(transcript, bill.planner.pricing, tokens) : null),
    laws: { checked: request, violations },
    warnings,
  }
  return { report, details: { usageFactor: usage.factor, compactions: details }, projections }
}
