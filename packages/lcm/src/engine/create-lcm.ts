import {
  createSerialQueue,
  type EngineHost,
  type EngineParts,
  InvalidOptionError,
  isSummary,
  readMessages,
} from '@palimpsest/core'
import { createModelCooldown } from '@palimpsest/summaries'
import { createLcmTools } from '../tools/create-lcm-tools.ts'
import { createCompactionWriter } from './compaction-writer.ts'
import { detachedError, FrontierKeeper } from './frontier-keeper.ts'
import { pruneLargeResults } from './large-results.ts'
import { createLcmCompaction } from './lcm-compaction.ts'
import { type LcmOptions, resolveSettings } from './options.ts'
import { createSummariesAhead } from './prepare-summaries.ts'
import { windowOf } from './window.ts'
import { withoutToolNames } from './without-tool-names.ts'

export function createLcm(options: LcmOptions, host: EngineHost): EngineParts {
  const settings = resolveSettings(options)
  const { tokens, clock, model, log } = host
  if (log === undefined)
    throw new InvalidOptionError(
      'log',
      'host.log is missing: lcm needs the log of a session; use createContextSession',
    )
  const keeper = new FrontierKeeper(log, clock)
  const open = () => {
    if (log.isDetached) throw detachedError()
    return log.open()
  }
  const cooldown = createModelCooldown()
  const writer = createCompactionWriter({ host, settings, cooldown })
  const queue = createSerialQueue()
  const compaction = createLcmCompaction({
    ...{ host, log, settings, keeper, writer, cooldown, queue },
    isDefaultThreshold: options.threshold === undefined,
    takeReady: () => ahead.takeReady(),
  })
  const ahead = createSummariesAhead({ host, settings, keeper, writer, compaction, queue })
  const tools = createLcmTools({
    open: async () => open(),
    unsaved: () => log.unsaved,
    clock,
    ...(options.hide_replaced && { hidesReplaced: true }),
    status: () => ({
      unsaved: log.unsaved,
      writing_summaries: ahead.isWriting,
      ...(model && { model: { name: model.name, failures_in_a_row: cooldown.failures() } }),
    }),
  })

  return {
    capabilities: ['summarizer', 'lossless', 'persistence'],
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    shouldCompress: compaction.shouldCompress,
    // Compaction runs only between turns, because the prefix must not change during one.
    shouldCompressPreflight: (messages) =>
      ahead.isReady && !ahead.isWriting && messages.at(-1)?.role === 'user',
    async compress(call) {
      call.signal?.throwIfAborted()
      await ahead.finish(call.signal)
      return compaction.compress(call)
    },
    async ingest() {
      if (keeper.hasPending) await keeper.sync()
      return ahead.takeWarnings()
    },
    pruneToolResults: async (messages) =>
      pruneLargeResults(messages, log, settings.large_result_tokens, tokens),
    async selectContext({ messages, offersTools = true }) {
      return offersTools ? null : { messages: messages.map(withoutToolNames) }
    },
    async onTurnComplete({ usage }) {
      if (usage !== null) ahead.start(usage.promptTokens + usage.completionTokens)
    },
    hasContentToCompress(messages) {
      const said = readMessages(messages).filter((message) => !isSummary(message))
      const list = said.map((message, seq) => ({ seq, message, tokens: tokens.countMessage(message), at: 0 }))
      const window = windowOf(list)
      const system = window.leading.map(({ message }) => message)
      return writer.plan(window, compaction.thresholdTokens, system).blocks.length > 0
    },
    updateModel: compaction.updateModel,
    details: () => ({ summaries_written: writer.written, is_busy: ahead.isWriting }),
    async onSessionReset() {
      await ahead.stop()
      ahead.takeReady()
      compaction.reset()
    },
    toolSchemas: () => tools.schemas,
    handleToolCall: (name, args, signal) => tools.call(name, args, signal),
    async dispose() {
      await ahead.stop()
      if (keeper.hasPending) await keeper.sync()
    },
  }
}
