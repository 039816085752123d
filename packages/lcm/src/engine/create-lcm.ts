import {
  createGrowthGate,
  createSerialQueue,
  type EngineHost,
  type EngineParts,
  isInstruction,
  isSummary,
  type Message,
  readMessages,
  thresholdTokens,
} from '@palimpsest/core'
import { createModelCooldown } from '@palimpsest/core/summarizer'
import { createLcmTools } from '../tools/create-lcm-tools.ts'
import { analyzeMessages } from './analyze-messages.ts'
import { createBackground } from './background.ts'
import { createCompactionWriter } from './compaction-writer.ts'
import { compressCall } from './compress-call.ts'
import { createContextLedger } from './context-ledger.ts'
import { openStore } from './open-store.ts'
import { type LcmOptions, resolveSettings } from './options.ts'
import { prepareSummaries } from './prepare-summaries.ts'
import { pruneLargeResults } from './prune-large-results.ts'
import { EMPTY_WINDOW, withMessages } from './window.ts'
import { detachedError } from './window-keeper.ts'

/** The parts of the engine for one session. */
export function createLcm(options: LcmOptions, host: EngineHost): EngineParts {
  const settings = resolveSettings(options)
  const { tokens, clock, model } = host
  const { store, open, close } = openStore(options, host)
  const ledger = createContextLedger({ open, tokens, clock })
  const gate = createGrowthGate()
  const cooldown = createModelCooldown()
  const writer = createCompactionWriter({ host, settings, cooldown, open })
  const enqueue = createSerialQueue()
  const background = createBackground(enqueue)
  let contextLength = host.contextLength
  /** Summaries were written in the background that the host's list does not show yet. */
  let isReady = false

  const threshold = (share: number): number =>
    thresholdTokens({ contextLength, maxOutputTokens: host.maxOutputTokens, threshold: share })

  const prepare = async (promptTokens: number, signal: AbortSignal): Promise<void> => {
    const thresholdTokens = threshold(settings.threshold)
    const shown = isReady ? undefined : promptTokens
    const input = { ledger, writer, settings, thresholdTokens, promptTokens: shown, signal }
    await prepareSummaries(input, () => {
      isReady = true
    })
  }

  const tools = createLcmTools({
    open: async () => {
      await ledger.load()
      // The store holds another conversation by now, under the same numbers.
      if (ledger.isDetached) throw detachedError()
      return open()
    },
    unsaved: () => ledger.unsaved,
    tokens,
    clock,
    ...(model && { model }),
    // Messages that are in memory only are not in the store's index either.
    head: async () => ({ ...ledger.window, nextSeq: ledger.window.nextSeq - ledger.unsaved }),
    frontier: async () => ledger.window,
    ...(options.expand_grant_tokens !== undefined && { grantTokens: options.expand_grant_tokens }),
    ...(options.hide_replaced && { hidesReplaced: true }),
    status: () => ({
      store: store.kind,
      location: store.location,
      unsaved: ledger.unsaved,
      writing_summaries: background.isBusy,
      ...(model && { model: { name: model.name, failures_in_a_row: cooldown.failures() } }),
    }),
  })

  return {
    // Without a store of the host's, everything is gone with this engine.
    capabilities: [
      'summarizer',
      'lossless',
      ...(options.store === undefined ? [] : ['persistence' as const]),
    ],
    get thresholdTokens() {
      return threshold(settings.threshold)
    },
    get contextLength() {
      return contextLength
    },
    shouldCompress: ({ promptTokens = 0 } = {}) =>
      settings.threshold > 0 &&
      promptTokens >= threshold(settings.threshold) &&
      !gate.isBlocked(promptTokens),
    // Between turns only: in the middle of one the prefix stays as it is.
    shouldCompressPreflight: (messages) => isReady && !background.isBusy && messages.at(-1)?.role === 'user',
    async compress(call) {
      call.signal?.throwIfAborted()
      // The host waits: what is written so far counts, and a model that hangs must not hold it up.
      await background.stop()
      return enqueue(async () => {
        const wasReady = isReady
        isReady = false
        return compressCall(call, {
          isReady: wasReady,
          ledger,
          writer,
          gate,
          thresholdTokens: threshold(settings.threshold),
          contextLength,
        })
      }, call.signal)
    },
    async ingest({ messages, from }) {
      await ledger.ingest(messages, from)
      await analyzeMessages(messages)
    },
    async pruneToolResults(messages, origins) {
      // A new text of the system prompt comes without an ingest.
      await ledger.noteSystem(messages)
      const seqs = origins && ledger.seqsOf(origins)
      return pruneLargeResults(messages, seqs, ledger.window, settings.large_result_tokens, tokens)
    },
    async onTurnComplete({ usage }) {
      if (model === undefined || usage === null || settings.soft_threshold === 0) return
      const promptTokens = usage.promptTokens + usage.completionTokens
      if (promptTokens < threshold(settings.soft_threshold)) return
      background.start((signal) => prepare(promptTokens, signal))
    },
    hasContentToCompress: (messages) => hasContent(messages),
    updateModel(update) {
      contextLength = update.contextLength
      gate.clear()
    },
    async onSessionStart() {
      // A store that cannot be read now is tried again with the first message, and told about there.
      await ledger.load().catch(() => {})
    },
    async onSessionReset() {
      await background.stop()
      isReady = false
      gate.clear()
      await ledger.reset()
    },
    toolSchemas: () => tools.schemas,
    handleToolCall: (name, args, signal) => tools.call(name, args, signal),
    async dispose() {
      await background.stop()
      // What could not be written gets its last chance; who could be told was told.
      await ledger.flush().catch(() => {})
      await close()
    },
  }

  function hasContent(messages: readonly Message[]): boolean {
    const list = readMessages(messages)
    const system = isInstruction(list[0]) ? [list[0]] : []
    const rest = list.slice(system.length).filter((message) => !isSummary(message))
    const told = rest.map((message, seq) => ({
      seq,
      message,
      tokens: tokens.countMessage(message),
      at: 0,
      hash: '',
    }))
    const window = withMessages(EMPTY_WINDOW, told)
    return writer.plan(window, threshold(settings.threshold), system).blocks.length > 0
  }
}
