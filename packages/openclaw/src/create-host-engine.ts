import { type CompressResult, errorText } from '@palimpsest/core'
import type { Conversations } from './conversations.ts'
import type { AssembleCall, CompactCall, CompactResult, HostContextEngine } from './host-types.ts'

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
  const open = conversations.open
  const orElse = async <T>(
    what: string,
    signal: AbortSignal | undefined,
    task: () => Promise<T>,
    fallback: T,
  ) => {
    try {
      return await task()
    } catch (error) {
      signal?.throwIfAborted()
      warn(`${what} failed; OpenClaw goes on without: ${errorText(error)}`)
      return fallback
    }
  }

  return {
    info: {
      ...{ id, name, ownsCompaction: true, turnMaintenanceMode: 'background' },
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    },
    async bootstrap(call) {
      const opening = async () => ({ bootstrapped: open(call, call.runtimeContext?.llm) !== undefined })
      return orElse('opening', undefined, opening, { bootstrapped: false })
    },
    // The history comes whole, with the next call of assemble or afterTurn.
    ingest: async () => ({ ingested: false }),
    async assemble(call) {
      const { messages, model, runtimeContext } = call
      const own = { messages, estimatedTokens: 0 }
      return orElse(
        'assembling',
        undefined,
        async () => {
          const shown = await open(call, runtimeContext?.llm).show(messages, roomOf(call), model)
          const { note } = shown
          return {
            messages: shown.messages,
            estimatedTokens: shown.tokens,
            ...(note && { systemPromptAddition: note }),
          }
        },
        own,
      )
    },
    async compact(call) {
      const failed = { ok: false, compacted: false, reason: 'the engine failed; the log says why' }
      return orElse('compacting', call.abortSignal, () => compact(conversations, call), failed)
    },
    async commitTurn({ advancementKey, admission, messages, ...call }) {
      const commit = async () => open(call).commit(advancementKey, admission.activeMessagePosition, messages)
      return { status: await orElse('committing', undefined, commit, 'committed') }
    },
    async afterTurn({ messages, prePromptMessageCount, ...call }) {
      const hold = async () => open(call, call.runtimeContext?.llm).hold(messages, prePromptMessageCount)
      await orElse('taking a turn', undefined, hold, undefined)
    },
    async maintain({ abortSignal, runtimeContext, ...call }) {
      const settle = () => open(call, runtimeContext?.llm).settle(abortSignal)
      await orElse('taking the turn', abortSignal, settle, undefined)
      return { changed: false, bytesFreed: 0, rewrittenEntries: 0 }
    },
    async onSubagentEnded({ childSessionKey }) {
      await orElse('ending a sub-agent', undefined, () => conversations.endKey(childSessionKey), undefined)
    },
    // A turn is over; the conversation goes on.
    async dispose() {},
  }
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

async function compact({ open }: Conversations, call: CompactCall): Promise<CompactResult> {
  const { tokenBudget = 0, currentTokenCount = 0, customInstructions, runtimeContext, abortSignal } = call
  const conversation = open(call, runtimeContext?.llm)
  abortSignal?.throwIfAborted()
  if (currentTokenCount <= tokenBudget)
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
