import {
  type CompressCall,
  type CompressResult,
  type ContextEngine,
  createPause,
  type EngineCapability,
  type EngineHost,
  type EngineParts,
  type EngineStatus,
  findLastUser,
  type Message,
  messageText,
  type SelectCall,
  type SelectedContext,
  type ToolSchema,
} from '@palimpsest/core'
import { keepsSummaries } from '../placement/keeps-summaries.ts'
import type { TopicWatch } from '../placement/topic-shift.ts'
import { countRecord } from './count-stored.ts'
import { createServices, type Services } from './create-services.ts'
import type { DecisionsOptions } from './options.ts'

/** The parts of the engine for one session: what was decided is its own, the compaction may be any engine's. */
export function createDecisions(options: DecisionsOptions, host: EngineHost): EngineParts {
  const services = createServices(options, host)
  const { opened, recorder, extraction, memory, summaries, topic, compaction, headroom, tools } = services
  return {
    capabilities: capabilitiesOf(options, compaction),
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
    compress: (call) => compress(services, call),
    async ingest({ messages, from }) {
      if (options.profile === 'seed') watchTopic(topic, messages)
      headroom.read(messages)
      const warnings = await compaction.ingest({ messages, from })
      await recorder.record(messages, from)
      summaries.recorded(messages, from)
      extraction?.start()
      return warnings
    },
    async selectContext(call) {
      summaries.recorded([])
      headroom.measured(call.budgetTokens)
      return place(services, call, await compaction.selectContext(call))
    },
    async onTurnComplete(turn) {
      await compaction.onTurnComplete(turn)
      // One message that is on record goes along: an answer that was generated again takes the place of the first.
      const known = recorder.current?.messages.length ?? 0
      const from = Math.max(0, Math.min(known, turn.messages.length) - 1)
      await recorder.record(turn.messages.slice(from), from, true)
      extraction?.start()
      if (recorder.current !== undefined) memory?.publish(recorder.current)
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
    onSessionReset: () => reset(services),
    onCompactionBoundary: (boundary) => compaction.onCompactionBoundary(boundary),
    updateModel(update) {
      compaction.updateModel(update)
      headroom.measured(undefined)
    },
    toolSchemas: (): readonly ToolSchema[] => [...tools.schemas, ...compaction.toolSchemas()],
    handleToolCall: (name, args, signal) =>
      tools.schemas.some((schema) => schema.function.name === name)
        ? tools.call(name, args, signal)
        : compaction.handleToolCall(name, args, signal),
    status: () => statusOf(services),
    async dispose() {
      await extraction?.stop()
      await memory?.stop()
      await compaction.dispose()
      await opened.close()
    },
  }
}

function watchTopic(topic: TopicWatch, messages: readonly Message[]): void {
  for (const message of messages)
    if (message.role === 'user' || message.role === 'assistant')
      topic.read(messageText(message), message.role === 'user')
}

async function compress(services: Services, call: CompressCall): Promise<CompressResult> {
  const { recorder, extraction, embedder, memory, summaries, compaction, headroom, placement } = services
  // The messages that are about to leave the window are read first. They are in the store: a failure costs nothing but time.
  await extraction?.flush(call.signal)
  await summaries.load().catch(() => {})
  const pause = createPause()
  await headroom.readAhead()
  const roomy = headroom.leaveRoom(call)
  await pause()
  const result = await compaction.compress(roomy)
  await pause()
  if (result.outcome === 'compacted' && !keepsSummaries(call.messages, result.messages))
    placement.beginEpoch()
  await summaries.write().catch(() => {})
  const own = [recorder, extraction, embedder, memory].flatMap((part) => part?.takeWarnings() ?? [])
  return { ...result, warnings: [...result.warnings, ...own] }
}

/** Decisions on record in the projection that the compaction selected, else in that of the call. */
async function place(
  { recorder, memory, placement }: Services,
  call: SelectCall,
  selected: SelectedContext | null,
): Promise<SelectedContext | null> {
  const known = recorder.shown
  if (known === undefined) return selected
  const { messages: shown, origins } = selected ?? call
  const query = shown[findLastUser(shown)]
  const isAsked = memory !== undefined && query !== undefined && placement.isNew(shown, known)
  const recalled = isAsked ? await memory.recall(messageText(query), known, call.signal) : ''
  const placed = { messages: shown, origins, roomTokens: call.budgetTokens, record: known, recalled }
  return placement.place(placed) ?? selected
}

/** Begins another conversation: the last one stays in the store alone. */
async function reset(services: Services): Promise<void> {
  const { extraction, compaction, opened, recorder, summaries, topic, headroom, placement } = services
  await extraction?.stop()
  await compaction.onSessionReset()
  opened.next()
  recorder.forget()
  summaries.forget()
  topic.clear()
  headroom.clear()
  placement.beginEpoch()
}

function statusOf(services: Services): EngineStatus {
  const { compaction, opened, recorder, placement, extraction, embedder, memory } = services
  return {
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
  }
}

/** The capabilities of the compaction, and our own. */
function capabilitiesOf(options: DecisionsOptions, compaction: ContextEngine): readonly EngineCapability[] {
  // Everything is there again only when both have a store.
  const isKept =
    options.store !== undefined &&
    (options.compaction === undefined || compaction.capabilities.includes('persistence'))
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
