import {
  type CompressCall,
  type CompressResult,
  compactedResult,
  copyValue,
  countMessages,
  type EngineHost,
  type EngineParts,
  equalValues,
  keptResult,
  type Message,
  type TokenCounter,
  thresholdTokens,
  type Warning,
} from '@palimpsest/core'
import type { TopicWindowOptions } from './options.ts'
import { planWindow } from './plan-window.ts'
import { readWindow } from './read-window.ts'
import { RECALL_TOOL, recall } from './recall.ts'

/** A compaction that is asked for leaves at most this share of what is there. */
const FORCED_SHARE = 0.5
/** A recall may take this share of the window. */
const RECALL_SHARE = 0.05

/** The parts of the engine for one session. */
export function createTopicWindow(options: Required<TopicWindowOptions>, host: EngineHost): EngineParts {
  const { tokens, maxOutputTokens } = host
  let { contextLength } = host
  /** Messages that the session no longer shows, by number in the conversation: the first message is 1. */
  const leftOut = new Map<number, Message>()
  let transcriptLength = 0
  /** The last projection that was made here. */
  let settled: readonly Message[] = []

  const shareOf = (threshold: number) => thresholdTokens({ contextLength, maxOutputTokens, threshold })

  /** Tokens that the messages may have after a compaction. */
  const roomFor = (size: number, { currentTokens = size, targetTokens, force }: CompressCall) => {
    // The host counts tools too, and maybe with another tokenizer: its count is the one that the target is about.
    const usual = (shareOf(options.target) * size) / Math.max(size, currentTokens, 1)
    return Math.min(usual, targetTokens ?? (force === true ? size * FORCED_SHARE : usual))
  }

  /** Plans a compaction. Changes nothing. */
  const propose = (call: CompressCall) => {
    const { messages: before, targetTokens } = call
    const window = readWindow(before)
    const size = countMessages(tokens, before)
    const room = roomFor(size, call)
    const isSettled = equalValues(before, settled) && size <= (targetTokens ?? size)
    const focusTopic = String(call.focusTopic ?? '')
    const { keepTurns } = options
    const plan =
      isSettled || size <= room ? undefined : planWindow(window, { room, tokens, focusTopic, keepTurns })
    return { window, plan, result: resultOf(plan, before, tokens) }
  }

  const forget = async (): Promise<void> => {
    leftOut.clear()
    transcriptLength = 0
    settled = []
  }

  return {
    get thresholdTokens() {
      return shareOf(options.threshold)
    },
    shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= shareOf(options.threshold),
    async compress(call) {
      // The rest runs in one go: an abort right after the call has to be seen before it.
      await Promise.resolve()
      call.signal?.throwIfAborted()
      const { window, plan, result } = propose(call)
      if (plan !== undefined && result.outcome === 'compacted') {
        settled = result.messages
        // Without an earlier index the conversation is numbered anew.
        if (window.index === undefined) leftOut.clear()
        for (const [number, message] of plan.leftOut) leftOut.set(number, message)
      }
      const { tokensBefore, tokensAfter } = result
      const promptTokens = (call.currentTokens ?? tokensBefore) - tokensBefore + tokensAfter
      const fits =
        promptTokens < shareOf(options.threshold) && tokensAfter <= (call.targetTokens ?? tokensAfter)
      return fits ? result : { ...result, warnings: [tooLarge(promptTokens)] }
    },
    async ingest({ messages, from }) {
      const isEdit = from < transcriptLength
      transcriptLength = from + messages.length
      // Messages that the host took back must not be found any more.
      if (isEdit) for (const number of leftOut.keys()) if (number > from) leftOut.delete(number)
    },
    hasContentToCompress: (messages) => propose({ messages, force: true }).result.outcome === 'compacted',
    updateModel(update) {
      contextLength = update.contextLength
    },
    toolSchemas: () => [copyValue(RECALL_TOOL)],
    async handleToolCall(name, args) {
      if (name !== 'topic_recall') return '{"error":"unknown tool; the tool of this engine is topic_recall"}'
      return recall(args, { leftOut, tokens, maxTokens: Math.floor(contextLength * RECALL_SHARE) })
    },
    onSessionReset: forget,
    dispose: forget,
  }
}

function resultOf(
  plan: ReturnType<typeof planWindow>,
  before: readonly Message[],
  tokens: TokenCounter,
): CompressResult {
  if (plan === undefined) return keptResult('unchanged', 'nothing-to-leave-out', before, tokens)
  const { messages: after, description: summary } = plan
  return compactedResult({ before, after, tokens, reason: 'off-topic-left-out', summary })
}

function tooLarge(promptTokens: number): Warning {
  return {
    code: 'too-large-to-compact',
    message: `what has to stay makes the prompt about ${Math.round(promptTokens)} tokens long, which is too much; shorten the system prompt, the tools or the last messages, or use a model with a larger window`,
  }
}
