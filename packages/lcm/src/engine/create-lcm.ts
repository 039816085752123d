import {
  type Clock,
  createSerialQueue,
  type EngineHost,
  type EngineParts,
  isInstruction,
  isSummary,
  type Message,
  readMessages,
  type TokenCounter,
} from '@palimpsest/core'
import { createModelCooldown, type ModelCooldown } from '@palimpsest/summaries'
import type { LcmSession } from '../store/lcm-session.ts'
import { DEFAULT_PRINCIPAL, type LcmStore } from '../store/lcm-store.ts'
import { createLcmTools, type LcmTools } from '../tools/create-lcm-tools.ts'
import { replacedWarning, storeWarning } from './compaction-report.ts'
import { createCompactionWriter } from './compaction-writer.ts'
import { type ContextLedger, createContextLedger } from './context-ledger.ts'
import { pruneLargeResults } from './large-results.ts'
import { createLcmCompaction } from './lcm-compaction.ts'
import { type LcmOptions, resolveSettings } from './options.ts'
import { createSummariesAhead } from './prepare-summaries.ts'
import { type ContextWindow, EMPTY_WINDOW, withMessages } from './window.ts'
import { detachedError } from './window-keeper.ts'

export function createLcm(options: LcmOptions, host: EngineHost): EngineParts {
  const settings = resolveSettings(options)
  const { tokens, clock } = host
  const opened = openStore(options, host)
  const { open, close } = opened
  const ledger = createContextLedger({ open, tokens, clock })
  const cooldown = createModelCooldown()
  const writer = createCompactionWriter({ host, settings, cooldown, open })
  const queue = createSerialQueue()
  const compaction = createLcmCompaction({
    ...{ host, settings, ledger, writer, cooldown, queue },
    isDefaultThreshold: options.threshold === undefined,
    takeReady: () => ahead.takeReady(),
  })
  const ahead = createSummariesAhead({ host, settings, ledger, writer, compaction, queue })
  const isWriting = () => ahead.isWriting
  const tools = toolsOf(options, host, { ledger, opened, cooldown, isWriting })

  return {
    // Without a store of the host's, everything is gone with this engine.
    capabilities: [
      'summarizer',
      'lossless',
      ...(options.store === undefined ? [] : ['persistence' as const]),
    ],
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    shouldCompress: compaction.shouldCompress,
    // Between turns only: in the middle of one the prefix stays as it is.
    shouldCompressPreflight: (messages) =>
      ahead.isReady && !ahead.isWriting && messages.at(-1)?.role === 'user',
    async compress(call) {
      call.signal?.throwIfAborted()
      await ahead.finish(call.signal)
      return compaction.compress(call)
    },
    async ingest({ messages, from }) {
      const warnings = ahead.takeWarnings()
      await ledger.ingest(messages, from).catch((error: unknown) => {
        if (!ledger.isDetached) throw error
        // They are kept all the same, and offering them again would not help.
        warnings.push(storeWarning(error, ledger.unsaved))
      })
      const replaced = ledger.takeReplaced()
      if (replaced > 0) warnings.push(replacedWarning(replaced))
      return warnings
    },
    async pruneToolResults(messages, origins) {
      // A new text of the system prompt comes without an ingest.
      await ledger.noteSystem(messages)
      const seqs = origins && ledger.seqsOf(origins)
      return pruneLargeResults(messages, seqs, ledger.window, settings.large_result_tokens, tokens)
    },
    async onTurnComplete({ usage }) {
      if (usage !== null) ahead.start(usage.promptTokens + usage.completionTokens)
    },
    hasContentToCompress(messages) {
      const { system, window } = windowOf(messages, tokens)
      return writer.plan(window, compaction.thresholdTokens, system).blocks.length > 0
    },
    updateModel: compaction.updateModel,
    details: () => ({ summaries_written: writer.written }),
    async onSessionStart() {
      // A store that cannot be read now is tried again with the first message, and told about there.
      await ledger.load().catch(() => {})
    },
    async onSessionReset() {
      await ahead.stop()
      ahead.takeReady()
      compaction.reset()
      await ledger.reset()
    },
    toolSchemas: () => tools.schemas,
    handleToolCall: (name, args, signal) => tools.call(name, args, signal),
    async dispose() {
      await ahead.stop()
      // Messages that could not be written get a last chance; no later call could report a failure.
      await ledger.flush().catch(() => {})
      await close()
    },
  }
}

interface ToolParts {
  readonly ledger: ContextLedger
  readonly opened: OpenedStore
  readonly cooldown: ModelCooldown
  isWriting(): boolean
}

function toolsOf(
  options: LcmOptions,
  { tokens, clock, model }: EngineHost,
  { ledger, opened, cooldown, isWriting }: ToolParts,
): LcmTools {
  return createLcmTools({
    open: async () => {
      await ledger.load()
      // The store holds another conversation by now, under the same numbers.
      if (ledger.isDetached) throw detachedError()
      return opened.open()
    },
    unsaved: () => ledger.unsaved,
    tokens,
    clock,
    ...(model && { model }),
    // Messages that are in memory only are not in the store's index either.
    head: async () => ({ ...ledger.window, nextSeq: ledger.window.nextSeq - ledger.unsaved }),
    frontier: async () => ledger.window,
    ...(options.hide_replaced && { hidesReplaced: true }),
    status: () => ({
      store: opened.store?.kind,
      location: opened.store?.location,
      unsaved: ledger.unsaved,
      writing_summaries: isWriting(),
      ...(model && { model: { name: model.name, failures_in_a_row: cooldown.failures() } }),
    }),
  })
}

/** A list of a host as if it were all that a session holds. */
function windowOf(
  messages: readonly Message[],
  tokens: TokenCounter,
): { readonly system: readonly Message[]; readonly window: ContextWindow } {
  const list = readMessages(messages)
  const system = isInstruction(list[0]) ? [list[0]] : []
  const rest = list.slice(system.length).filter((message) => !isSummary(message))
  const numbered = rest.map((message, seq) => ({
    seq,
    message,
    tokens: tokens.countMessage(message),
    at: 0,
    hash: '',
  }))
  return { system, window: withMessages(EMPTY_WINDOW, numbered) }
}

interface OpenedStore {
  /** Undefined until a store of the engine's own is made, by the first `open`. */
  readonly store: LcmStore | undefined
  /** The same session each time; a failed attempt is made again. */
  open(): Promise<LcmSession>
  close(): Promise<void>
}

function openStore(
  { store: given, principal = DEFAULT_PRINCIPAL }: LcmOptions,
  host: { readonly sessionId: string; readonly clock: Clock },
): OpenedStore {
  let store = typeof given === 'function' ? given() : given
  let session: Promise<LcmSession> | undefined
  const open = async (): Promise<LcmSession> => {
    if (store === undefined) {
      // A host with another store does not load SQLite.
      const { createSqliteStore } = await import('@palimpsest/lcm/sqlite')
      store = createSqliteStore({ path: ':memory:' })
    }
    return store.session({ principal, key: host.sessionId }, host.clock.now())
  }
  return {
    get store() {
      return store
    },
    open() {
      session ??= open().catch((error) => {
        session = undefined
        throw error
      })
      return session
    },
    async close() {
      if (typeof given !== 'object') await store?.close()
    },
  }
}
