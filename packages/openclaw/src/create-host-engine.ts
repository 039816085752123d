import { type CompressResult, equalValues, errorText } from '@palimpsest/core'
import type { Conversation } from './conversation.ts'
import type { Conversations } from './conversations.ts'
import type {
  AgentMessage,
  AssembleCall,
  CompactCall,
  CompactResult,
  HostContextEngine,
  LifecycleCall,
  SessionName,
} from './host-types.ts'

interface HostEngineInput {
  readonly id: string
  readonly name: string
  readonly conversations: Conversations
  warn(text: string): void
}

/** Tokens of a history when OpenClaw names no budget. */
const UNKNOWN_BUDGET = 100_000

/**
 * An engine as OpenClaw drives it through one turn. What it throws would take the engine out of service until the
 * gateway restarts, so nothing but an abort is thrown: OpenClaw's own history is sent then.
 */
export function createHostEngine({ id, name, conversations, warn }: HostEngineInput): HostContextEngine {
  const roomOf = createRoom()
  const historyOf = createHistory()
  const { use } = conversations
  // OpenClaw passes no signal with a request's history: it disposes of the engine when the user breaks a turn off.
  const over = new AbortController()
  const orElse = createFallback(warn, over.signal)
  /** Does something with the conversation of a call. The fallback stands for it in a copy, and when it fails. */
  const attempt = <T>(
    what: string,
    call: LifecycleCall,
    task: (conversation: Conversation) => T | Promise<T>,
    fallback: T,
  ) => {
    const run = async () => (isCopy(call) ? fallback : use(call, call.runtimeContext?.llm, task))
    return orElse(what, call.abortSignal, run, fallback)
  }

  return {
    info: {
      ...{ id, name, ownsCompaction: true, turnMaintenanceMode: 'background' },
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    },
    bootstrap: async (call) => ({ bootstrapped: await attempt('opening', call, () => true, false) }),
    // The history comes whole, with the next call of assemble or afterTurn.
    ingest: async () => ({ ingested: false }),
    async assemble(call) {
      const messages = historyOf(call.messages)
      const show = async (conversation: Conversation | undefined) => {
        if (conversation === undefined) return { messages, estimatedTokens: 0 }
        const shown = await conversation.show(messages, roomOf(call), call.model, over.signal)
        const sections = [shown.note, await memorySection(call)].filter(Boolean)
        return {
          ...{ messages: shown.messages, estimatedTokens: shown.tokens },
          ...(sections.length > 0 && { systemPromptAddition: sections.join('\n\n') }),
        }
      }
      // OpenClaw runs its own tasks in copies of a conversation, which it removes.
      const assemble = async () =>
        isCopy(call) ? show(conversations.copied(messages)) : use(call, call.runtimeContext?.llm, show)
      const assembled = await orElse('assembling', undefined, assemble, { messages, estimatedTokens: 0 })
      historyOf.shown(assembled.messages)
      return assembled
    },
    async compact(call) {
      const failed = { ok: false, compacted: false, reason: 'the engine failed; the log says why' }
      return orElse('compacting', call.abortSignal, async () => compact(conversations, call), failed)
    },
    async commitTurn({ advancementKey, messages, ...call }) {
      const commit = (conversation: Conversation) => conversation.commit(advancementKey, messages)
      return { status: await attempt('committing', call, commit, 'committed') }
    },
    afterTurn({ messages, prePromptMessageCount, ...call }) {
      const turn = messages.slice(prePromptMessageCount)
      return attempt('taking a turn', call, (conversation) => conversation.take(turn), undefined)
    },
    async maintain(call) {
      await attempt('taking the usage', call, (conversation) => conversation.settle(), undefined)
      return { changed: false, bytesFreed: 0, rewrittenEntries: 0 }
    },
    async onSubagentEnded({ childSessionKey }) {
      await orElse('ending a sub-agent', undefined, () => conversations.endKey(childSessionKey), undefined)
    },
    // A turn is over; the conversation goes on.
    async dispose() {
      over.abort()
    },
  }
}

/** Runs what may fail. The fallback stands for it then, unless a signal says why; what failed because the turn is over is not told. */
function createFallback(warn: (text: string) => void, over: AbortSignal) {
  return async <T>(
    what: string,
    signal: AbortSignal | undefined,
    task: () => Promise<T>,
    fallback: T,
  ): Promise<T> => {
    try {
      return await task()
    } catch (error) {
      signal?.throwIfAborted()
      if (!over.aborted) warn(`${what} failed; OpenClaw goes on without: ${errorText(error)}`)
      return fallback
    }
  }
}

const COPY = 'internal-session-effects-'

function isCopy({ sessionId }: SessionName): boolean {
  return sessionId.startsWith(COPY)
}

/**
 * The history of a turn. In a tool loop OpenClaw passes what it was shown before the turn's first request, and not the history that
 * was shown so.
 */
function createHistory() {
  let history: AgentMessage[] = []
  let first: readonly AgentMessage[] = []
  let isShown = false
  const historyOf = (messages: AgentMessage[]): AgentMessage[] => {
    const isEcho = first.length > 0 && first.every((message, index) => equalValues(message, messages[index]))
    if (isEcho) return [...history, ...messages.slice(first.length)]
    history = messages
    isShown = false
    return messages
  }
  return Object.assign(historyOf, {
    /** The first list that is shown of a history comes back. */
    shown(messages: readonly AgentMessage[]): void {
      if (!isShown) first = messages
      isShown = true
    },
  })
}

/**
 * The tokens that a history may take. Before the prompt, the budget leaves room for the system prompt, the question and the
 * answer. In the tool loop it is the window without the question and the results: only the results come off.
 */
function createRoom(): (call: AssembleCall) => number {
  let first: number | undefined
  let loop: number | undefined
  return ({ tokenBudget = UNKNOWN_BUDGET, runtimeSettings }) => {
    if (runtimeSettings?.limits.maxOutputTokens != null) {
      first = tokenBudget
      loop = undefined
      return tokenBudget
    }
    loop ??= tokenBudget
    return first === undefined ? tokenBudget : first - (loop - tokenBudget)
  }
}

async function compact({ use }: Conversations, call: CompactCall): Promise<CompactResult> {
  if (isCopy(call)) return { ok: true, compacted: false, reason: 'nothing to compact: this is a copy' }
  const { runtimeContext } = call
  // OpenClaw ends a turn whose compaction before the first request fails. The room of that request sees to its size.
  if (runtimeContext?.forceReason === 'preflight_required')
    return {
      ok: true,
      compacted: false,
      reason: 'already under target: a history gets smaller when it is shown',
    }
  return use(call, runtimeContext?.llm, (conversation) => compactNow(conversation, call))
}

async function compactNow(conversation: Conversation, call: CompactCall): Promise<CompactResult> {
  const { tokenBudget = 0, currentTokenCount = 0, customInstructions, runtimeContext, abortSignal } = call
  abortSignal?.throwIfAborted()
  // A provider may have less room than OpenClaw was told.
  if (currentTokenCount <= tokenBudget && runtimeContext?.trigger !== 'overflow')
    return toCompactResult(await conversation.compact(customInstructions, abortSignal))
  const refusal = { promptTokens: currentTokenCount, limitTokens: tokenBudget }
  const [tokensBefore, tokensAfter] = await conversation.shrink(refusal, abortSignal)
  if (tokensAfter < tokensBefore) return { ok: true, compacted: true, result: { tokensBefore, tokensAfter } }
  return { ok: false, compacted: false, reason: 'nothing to compact: the history is as small as it gets' }
}

/** OpenClaw tells by words in the reason what is no failure. */
function toCompactResult({ outcome, reason, tokensBefore, tokensAfter }: CompressResult): CompactResult {
  if (outcome === 'compacted') return { ok: true, compacted: true, result: { tokensBefore, tokensAfter } }
  const ok = outcome === 'unchanged' || outcome === 'deferred'
  return { ok, compacted: false, reason: ok ? `nothing to compact: ${reason}` : `${outcome}: ${reason}` }
}

/** OpenClaw finds it for its plug-ins; elsewhere it is not there. */
const SDK: string = 'openclaw/plugin-sdk/core'

interface Sdk {
  buildMemorySystemPromptAddition(input: object): string | undefined
}

/** The section of OpenClaw's memory plug-in in the system prompt. OpenClaw leaves that to the engine. */
async function memorySection(call: AssembleCall): Promise<string | undefined> {
  const { availableTools = new Set(), citationsMode, sessionKey } = call
  const sdk: Sdk | undefined = await import(SDK).catch(() => undefined)
  return sdk?.buildMemorySystemPromptAddition({
    availableTools,
    ...(citationsMode && { citationsMode }),
    ...(sessionKey && { agentSessionKey: sessionKey }),
  })
}
