import {
  type CompressCall,
  type ContextEngine,
  type EngineCapability,
  type EngineHost,
  type EngineParts,
  fillEngine,
  findLastUser,
  type Message,
  messageText,
  THRESHOLD_FLOOR_TOKENS,
  type ToolSchema,
} from '@palimpsest/core'
import { createWindowCompaction } from '../compaction/create-window-compaction.ts'
import { keepsSummaries } from '../placement/keeps-summaries.ts'
import { Placement } from '../placement/placement.ts'
import { createTopicWatch } from '../placement/topic-shift.ts'
import { countRecord } from './count-record.ts'
import { DecisionRecorder } from './decision-recorder.ts'
import { createEmbedder } from './embedder.ts'
import { createEngineTools } from './engine-tools.ts'
import { Extraction } from './extraction.ts'
import { createExtractionJobs } from './extraction-jobs.ts'
import { createHeadroom } from './headroom.ts'
import { createMemoryLink } from './memory-link.ts'
import { openSession } from './open-session.ts'
import { type DecisionsOptions, resolveSettings } from './options.ts'
import { createSummaryKeeper } from './summary-keeper.ts'

/** The parts of the engine for one session: what was decided is its own, the compaction may be any engine's. */
export function createDecisions(options: DecisionsOptions, host: EngineHost): EngineParts {
  const settings = resolveSettings(options)
  const seed = options.profile === 'seed'
  const { tokens, clock } = host
  const now = () => clock.now()
  const opened = openSession(options, { sessionId: host.sessionId, now })
  const embedder = options.embed && createEmbedder({ embed: options.embed, clock })
  const jobs = createExtractionJobs(settings.batch_turns)
  const model = options.extraction_model ?? host.model
  const recorder = new DecisionRecorder({
    opened,
    project: options.project,
    now,
    embedder,
    jobs: model && jobs,
  })
  const extraction =
    model === undefined
      ? undefined
      : new Extraction({
          recorder,
          opened,
          jobs,
          embedder,
          clock,
          model,
          judge: options.dedup_model ?? model,
          seed,
          holder: `${host.sessionId} ${clock.now()}`,
        })
  const memory = options.memory && createMemoryLink(options.memory)
  const topic = createTopicWatch()
  const summaries = createSummaryKeeper(recorder, opened)
  const compaction = createCompaction()
  const placement = new Placement({
    tokens,
    budgetTokens: settings.budget_tokens,
    recallTokens: settings.recall_tokens,
    litm: seed,
  })
  const headroom = createHeadroom({
    placement,
    recorder,
    tokens,
    asksMemory: memory !== undefined,
    windowTokens: () => compaction.contextLength - host.maxOutputTokens,
  })
  const tools = createEngineTools(recorder, opened)
  const isOwnTool = (name: string) => tools.schemas.some((schema) => schema.function.name === name)

  function createCompaction(): ContextEngine {
    if (options.compaction !== undefined)
      return options.compaction.engine.create(options.compaction.options ?? {}, host)
    const parts = createWindowCompaction({
      host,
      seed,
      threshold: settings.threshold,
      floorTokens: options.threshold === undefined ? THRESHOLD_FLOOR_TOKENS : 0,
      hasTopicShift: () => topic.hasShifted,
      known: summaries.known,
      keep: summaries.keep,
    })
    return fillEngine('decisions', parts, host)
  }

  const record = async (messages: readonly Message[], from: number, isComplete: boolean): Promise<void> => {
    await recorder.record(messages, from, isComplete)
    extraction?.start()
    const { current } = recorder
    if (isComplete && current !== undefined) memory?.publish(current)
  }

  const watchTopic = (messages: readonly Message[]): void => {
    for (const message of messages)
      if (message.role === 'user' || message.role === 'assistant')
        topic.read(messageText(message), message.role === 'user')
  }

  return {
    // Everything is there again only when both have a store.
    capabilities: capabilitiesOf(
      compaction,
      options.store !== undefined &&
        (options.compaction === undefined || compaction.capabilities.includes('persistence')),
    ),
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    updateFromResponse: (usage) => compaction.updateFromResponse(usage),
    shouldCompress(call) {
      const { lastPromptTokens } = compaction
      const promptTokens = call?.promptTokens ?? lastPromptTokens
      // A prompt as it was reported has the block in it; a session's estimate is of the projection alone.
      const unseen = promptTokens === lastPromptTokens ? 0 : headroom.expected()
      return compaction.shouldCompress({ promptTokens: promptTokens + unseen })
    },
    shouldCompressPreflight: (messages) => compaction.shouldCompressPreflight(messages),
    pruneToolResults: (messages, origins) => compaction.pruneToolResults(messages, origins),
    hasContentToCompress: (messages) => compaction.hasContentToCompress(messages),
    async compress(call: CompressCall) {
      // What is about to leave the window is read first. It is in the store: a failure costs nothing but time.
      await extraction?.flush(call.signal)
      await summaries.load().catch(() => {})
      const result = await compaction.compress(headroom.leaveRoom(call))
      if (result.outcome === 'compacted' && !keepsSummaries(call.messages, result.messages))
        placement.beginEpoch()
      await summaries.write().catch(() => {})
      const own = [extraction, embedder, memory].flatMap((part) => part?.takeWarnings() ?? [])
      return { ...result, warnings: [...result.warnings, ...own] }
    },
    async ingest({ messages, from }) {
      if (seed) watchTopic(messages)
      headroom.read(messages)
      await compaction.ingest({ messages, from })
      await record(messages, from, false)
    },
    async selectContext(call) {
      const { budgetTokens, signal } = call
      headroom.measured(budgetTokens)
      const selected = await compaction.selectContext(call)
      const known = recorder.shown
      if (known === undefined) return selected
      const { messages: shown, origins } = selected ?? call
      const query = shown[findLastUser(shown)]
      const isAsked = memory !== undefined && query !== undefined && placement.isNew(shown, known)
      const recalled = isAsked ? await memory.recall(messageText(query), known, signal) : ''
      const placed = { messages: shown, origins, roomTokens: budgetTokens, record: known, recalled }
      return placement.place(placed) ?? selected
    },
    async onTurnComplete(turn) {
      await compaction.onTurnComplete(turn)
      // One message that is on record goes along: an answer that was generated again takes the place of the first.
      const known = recorder.current?.messages.length ?? 0
      const from = Math.max(0, Math.min(known, turn.messages.length) - 1)
      await record(turn.messages.slice(from), from, true)
    },
    async onSessionStart(start) {
      await compaction.onSessionStart(start)
      // A store that cannot be read now is tried again with the first message, and told about there.
      await recorder.load().then(
        () => extraction?.start(),
        () => {},
      )
    },
    onSessionEnd: (messages) => compaction.onSessionEnd(messages),
    async onSessionReset() {
      await extraction?.stop()
      await compaction.onSessionReset()
      opened.next()
      recorder.forget()
      summaries.forget()
      topic.clear()
      headroom.clear()
      placement.beginEpoch()
    },
    onCompactionBoundary: (boundary) => compaction.onCompactionBoundary(boundary),
    updateModel(update) {
      compaction.updateModel(update)
      headroom.measured(undefined)
    },
    toolSchemas: (): readonly ToolSchema[] => [...tools.schemas, ...compaction.toolSchemas()],
    handleToolCall: (name, args, signal) =>
      isOwnTool(name) ? tools.call(name, args, signal) : compaction.handleToolCall(name, args, signal),
    status: () => ({
      ...compaction.status(),
      name: 'decisions',
      details: {
        ...compaction.status().details,
        compaction: compaction.name,
        store: opened.store.kind,
        ...(opened.store.location !== undefined && { location: opened.store.location }),
        decisions: recorder.current?.ledger.all.length ?? 0,
        ...(recorder.shown && { on_record: countRecord(recorder.shown) }),
        rejected: recorder.rejected,
        epochs: placement.epochs,
        block_tokens: placement.blockTokens,
        ...(extraction && { extraction: extraction.status() }),
        ...(embedder && { embedding: embedder.status() }),
        ...(memory && { memory: memory.status() }),
      },
    }),
    async dispose() {
      await extraction?.stop()
      await memory?.stop()
      await compaction.dispose()
      await opened.close()
    },
  }
}

/** The capabilities of the compaction, and our own. */
function capabilitiesOf(compaction: ContextEngine, isKept: boolean): readonly EngineCapability[] {
  const others = compaction.capabilities.filter((capability) => capability !== 'persistence')
  return [
    ...new Set([
      ...others,
      'tools' as const,
      'selection' as const,
      ...(isKept ? ['persistence' as const] : []),
    ]),
  ]
}
