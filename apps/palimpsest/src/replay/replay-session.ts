import { setTimeout } from 'node:timers/promises'
import {
  type Clock,
  type CompletionModel,
  type ContextSession,
  checkProjection,
  countMessages,
  freezeMessage,
  isObject,
  isSpoken,
  type Message,
  type SessionEvent,
  type TokenCounter,
  type Usage,
  type Warning,
} from '@palimpsest/core'
import type { RecordCounts } from '@palimpsest/decisions'
import { isRecordedUser, type Transcript } from '@palimpsest/transcripts'
import type { ReplayBill } from '../bill/replay-bill.ts'
import { DECISIONS } from '../engines/decisions-options.ts'
import type { SessionParts } from '../engines/open-session.ts'
import type {
  ReplayCompaction,
  ReplayDecisions,
  ReplayDetails,
  ReplayReport,
  ReplayViolation,
  ReplayWarning,
} from './replay-report.ts'

interface ReplayInput {
  readonly transcript: Transcript
  readonly open: (parts: SessionParts) => Promise<OpenedSession>
  readonly window: number
  readonly enabled: boolean
  readonly bill: ReplayBill
  readonly model?: CompletionModel | undefined
  readonly tokens: TokenCounter
  readonly sessionId?: string
  readonly startedAt?: number
  readonly stored?: number
  readonly onProgress?: (done: number) => void
}

interface OpenedSession {
  readonly session: ContextSession
  readonly profile: string | null
  readonly warnings: readonly Warning[]
}

export interface Replay {
  readonly report: ReplayReport
  readonly details: ReplayDetails
}

export function countRequests({ entries }: Transcript, stored = 0): number {
  return entries.filter(({ message }, index) => message.role === 'assistant' && isRequest(index, stored))
    .length
}

function isRequest(index: number, stored: number): boolean {
  return index > 0 && index >= stored
}

interface Tally {
  request: number
  position: number
  tokensSent: number
  tokensSentWithout: number
  tokensSoFar: number
  maxProjectionTokens: number
  tooLarge: number
  compacted: boolean
  readonly compactions: ReplayCompaction[]
  readonly details: { index: number; trigger: string; kept: string }[]
  readonly violations: ReplayViolation[]
  readonly warnings: ReplayWarning[]
}

export async function replaySession(input: ReplayInput): Promise<Replay> {
  const { transcript, tokens, bill, startedAt = 0, stored = 0 } = input
  const messages = transcript.entries.map(({ message }) => freezeMessage(message))
  const native = transcript.nativeCompactions[0]?.beforeEntry ?? Number.POSITIVE_INFINITY
  const usage = createUsageSource()
  let now = startedAt
  const opened = await openReplayed(input, { now: () => now })
  const { session } = opened
  const tally = createTally(opened)
  listen(session, tally, bill)

  const requests = countRequests(transcript, stored)
  const host: Message[] = []
  for (const [index, { message, usage: recorded, timestamp }] of transcript.entries.entries()) {
    const isAnswer = message.role === 'assistant' && isRequest(index, stored)
    let size = 0
    if (isAnswer) {
      tally.request++
      tally.position = index
      await endOfWork(session)
      size = await sendRequest(input, session, tally, host)
    }
    now = Math.max(now + 1, timestamp ?? 0)
    if (isAnswer) {
      const asRecorded = !tally.compacted && index < native
      await session.observe({
        message,
        usage: usage.next(recorded, { prompt: size, answer: tokens.countMessage(message) }, asRecorded),
      })
      input.onProgress?.(tally.request)
    }
    const said = messages[index] ?? message
    host.push(said)
    tally.tokensSoFar += tokens.countMessage(said)
  }
  await endOfWork(session)
  const known = requests === 0 ? stored : tally.position
  if (known < messages.length) await session.append(messages.slice(known))
  const decisions = await countDecisions(session)
  await session.end()

  const { tokensSent, tokensSentWithout, maxProjectionTokens, tooLarge, compactions, violations } = tally
  const report: ReplayReport = {
    engine: session.engine.name,
    profile: opened.profile,
    window: input.window,
    session: {
      messages: messages.length,
      tokens: tally.tokensSoFar,
      userTurns: messages.filter((message) => isRecordedUser(message) && isSpoken(message)).length,
    },
    requests,
    tokensSent,
    tokensSentWithout,
    compactions,
    maxProjectionTokens,
    tooLarge,
    decisions,
    bill: bill.reportOf(session.engine.status().details),
    invariants: { checked: tally.request, violations },
    warnings: tally.warnings,
  }
  const details = { usageFactor: usage.factor, compactions: tally.details }
  return { report, details }
}

function openReplayed(input: ReplayInput, clock: Clock): Promise<OpenedSession> {
  const { transcript, tokens, bill, model } = input
  return input.open({
    contextLength: input.window,
    enabled: input.enabled,
    tokens,
    clock,
    sessionId: input.sessionId ?? 'replay',
    platform: 'replay',
    ...(transcript.model !== undefined && { modelName: transcript.model }),
    ...(model !== undefined && { model: bill.metered(model) }),
    cache: bill.planner,
  })
}

function createTally({ warnings }: OpenedSession): Tally {
  const counts = { request: 0, position: 0, tokensSent: 0, tokensSentWithout: 0, tokensSoFar: 0 }
  const lists = { compactions: [], details: [], violations: [] }
  return {
    ...counts,
    ...lists,
    maxProjectionTokens: 0,
    tooLarge: 0,
    compacted: false,
    warnings: warnings.map((warning) => ({ request: 0, ...warning })),
  }
}

function listen(session: ContextSession, tally: Tally, bill: ReplayBill): void {
  session.subscribe((event: SessionEvent) => {
    const { request, position } = tally
    if (event.type === 'warning') tally.warnings.push({ request, ...event.warning })
    if (event.type === 'violations')
      tally.violations.push(...event.violations.map((violation) => ({ request, ...violation })))
    if (event.type !== 'compaction') return
    const { outcome, reason, tokensBefore, tokensAfter, changedFrom, summary } = event.result
    tally.compactions.push({ request, outcome, reason, tokensBefore, tokensAfter, changedFrom })
    tally.details.push({ index: position, trigger: event.trigger, kept: summary ?? '' })
    tally.compacted ||= event.committed
    if (event.committed) bill.compacted(event.result)
  })
}

async function sendRequest(
  { transcript, tokens, bill, window }: ReplayInput,
  session: ContextSession,
  tally: Tally,
  host: readonly Message[],
): Promise<number> {
  const { request, position } = tally
  bill.start(transcript.entries[position - 1]?.timestamp)
  const { tools = [] } = transcript
  const { messages, tools: sent, cache } = await session.prepare(host, { tools, frozen: true })
  bill.add({ messages, tools: sent, plan: cache, transcript: host, hostTools: tools })
  const own = countMessages(tokens, messages)
  const hostTools = tokens.countTools(tools)
  const size = own + tokens.countTools(sent)
  tally.tokensSent += size
  tally.tokensSentWithout += tally.tokensSoFar + hostTools
  tally.maxProjectionTokens = Math.max(tally.maxProjectionTokens, size)
  if (size > window) tally.tooLarge++
  tally.violations.push(...checkProjection(messages, host).map((violation) => ({ request, ...violation })))
  // The recorded usage knows nothing of the engine's tools.
  return own + hostTools
}

/** Users read before they answer, so the engine's background work has finished by then. */
async function endOfWork({ engine }: ContextSession): Promise<void> {
  while (engine.status().details?.is_busy === true) await setTimeout(POLL_MS)
}

async function countDecisions(session: ContextSession): Promise<ReplayDecisions | null> {
  const { engine } = session
  if (engine.name !== DECISIONS) return null
  await endOfWork(session)
  await session.callTool('decisions_list', { limit: 1 })
  const { on_record, block_tokens, epochs } = engine.status().details ?? {}
  if (!isObject(on_record)) return null
  const counts = on_record as unknown as RecordCounts
  return { ...counts, blockTokens: Number(block_tokens), epochs: Number(epochs) }
}

const POLL_MS = 5

const FACTOR_BOUNDS = { min: 0.8, max: 2 }

/**
 * Recorded usage is valid while the prompt is the recorded one. It includes the host's system prompt and tools, which
 * the file lacks; that fixed part is subtracted. From the first compaction on, our count is used, corrected by how the
 * provider's counts have differed.
 */
function createUsageSource() {
  let fixed: number | undefined
  let factor = 1
  return {
    get factor(): number {
      return factor
    },
    /**
     * The usage to observe.
     *
     * @param counted Our counts of the sent messages and of the answer.
     * @param asRecorded True if they are the recorded host's messages.
     */
    next(
      recorded: Usage | undefined,
      { prompt: counted, answer }: { readonly prompt: number; readonly answer: number },
      asRecorded: boolean,
    ): Usage {
      let promptTokens = Math.round(counted * factor)
      if (recorded !== undefined && asRecorded) {
        fixed ??= Math.max(0, recorded.promptTokens - counted)
        const own = recorded.promptTokens - fixed
        if (own >= counted * FACTOR_BOUNDS.min && own <= counted * FACTOR_BOUNDS.max) {
          factor = own / Math.max(1, counted)
          promptTokens = own
        }
      }
      const completionTokens = recorded?.completionTokens ?? answer
      return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
    },
  }
}
