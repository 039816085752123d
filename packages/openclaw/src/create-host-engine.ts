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

const UNKNOWN_BUDGET = 100_000

/**
 * An engine for one turn of OpenClaw. An error would disable the engine until the gateway restarts, so only aborts are
 * thrown; otherwise OpenClaw's own history is sent.
 */
export function createHostEngine({ id, name, conversations, warn }: HostEngineInput): HostContextEngine {
  const roomOf = createRoom()
  const historyOf = createHistory()
  const { use } = conversations
  // OpenClaw passes no signal with a history: it disposes of the engine if the user stops the turn.
  const over = new AbortController()
  const orElse = createFallback(warn, over.signal)
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
      // OpenClaw runs its own tasks in temporary copies of a conversation.
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
    async dispose() {
      over.abort()
    },
  }
}

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

/** In a tool loop, OpenClaw passes the projection of the turn's first request instead of the history. */
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
    shown(messages: readonly AgentMessage[]): void {
      if (!isShown) first = messages
      isShown = true
    },
  })
}

/**
 * Tokens for the history. Before the prompt, the budget leaves room for the system prompt, question and answer. In the
 * tool loop it is the window without the question and the results, so only the results are subtracted.
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
  // OpenClaw ends a turn whose compaction before the first request fails; that request's own room limits its size.
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
  // A provider may have less room than OpenClaw knows.
  if (currentTokenCount <= tokenBudget && runtimeContext?.trigger !== 'overflow')
    return toCompactResult(await conversation.compact(customInstructions, abortSignal))
  const refusal = { promptTokens: currentTokenCount, limitTokens: tokenBudget }
  const [tokensBefore, tokensAfter] = await conversation.shrink(refusal, abortSignal)
  if (tokensAfter < tokensBefore) return { ok: true, compacted: true, result: { tokensBefore, tokensAfter } }
  return { ok: false, compacted: false, reason: 'nothing to compact: the history is as small as it gets' }
}

/** OpenClaw recognises a non-failure by words in the reason. */
function toCompactResult({ outcome, reason, tokensBefore, tokensAfter }: CompressResult): CompactResult {
  if (outcome === 'compacted') return { ok: true, compacted: true, result: { tokensBefore, tokensAfter } }
  const ok = outcome === 'unchanged' || outcome === 'deferred'
  return { ok, compacted: false, reason: ok ? `nothing to compact: ${reason}` : `${outcome}: ${reason}` }
}

/** Available only inside OpenClaw. */
const SDK: string = 'openclaw/plugin-sdk/core'

interface Sdk {
  buildMemorySystemPromptAddition(input: object): string | undefined
}

/** OpenClaw leaves its memory plug-in's section of the system prompt to the engine. */
async function memorySection(call: AssembleCall): Promise<string | undefined> {
  const { availableTools = new Set(), citationsMode, sessionKey } = call
  const sdk: Sdk | undefined = await import(SDK).catch(() => undefined)
  return sdk?.buildMemorySystemPromptAddition({
    availableTools,
    ...(citationsMode && { citationsMode }),
    ...(sessionKey && { agentSessionKey: sessionKey }),
  })
}
