import {
  type CompressCall,
  type CompressResult,
  type ContextEngine,
  countMessages,
  createPause,
  type EngineCapability,
  type EngineHost,
  type EngineParts,
  type EngineStatus,
  fillEngine,
  InvalidOptionError,
  type Message,
  messageText,
  type SelectCall,
  type SelectedContext,
  THRESHOLD_FLOOR_TOKENS,
  type ToolSchema,
  type Warning,
} from '@palimpsest/core'
import { createWindowCompaction } from '../compaction/window-compaction.ts'
import { Extraction } from '../extract/extraction.ts'
import { isContested } from '../log/decision.ts'
import { isOpen } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/ledger.ts'
import { keepsSummaries, Placement } from '../placement/placement.ts'
import { createTopicWatch, type TopicWatch } from '../placement/topic-shift.ts'
import { createDecisionsTools } from '../tools/create-decisions-tools.ts'
import { Conversation } from './conversation.ts'
import { DECISIONS_DEFAULTS, type DecisionsOptions } from './options.ts'
import { Recorder } from './recorder.ts'

/**
 * Least text of a batch in the default profile, in characters, so that the instructions are a small part of a request.
 */
const BATCH_CHARACTERS = 12_000

type Services = ReturnType<typeof createServices>

function createServices(options: DecisionsOptions, host: EngineHost) {
  const { tokens, clock, sessionId, log } = host
  if (log === undefined)
    throw new InvalidOptionError(
      'host.log',
      'host.log is missing: decisions needs the log of a session; use createContextSession',
    )
  const defaults = DECISIONS_DEFAULTS
  const seed = options.profile === 'seed'
  const model = options.extraction_model ?? host.model
  const conversation = new Conversation(log)
  const recorder = new Recorder({
    log,
    conversation,
    project: options.project,
    now: () => clock.now(),
    batch: model && {
      turns: options.batch_turns ?? defaults.batch_turns,
      characters: seed || options.batch_turns !== undefined ? 0 : BATCH_CHARACTERS,
    },
  })
  const holder = `${sessionId} ${clock.now()}`
  const topic = createTopicWatch()
  return {
    conversation,
    recorder,
    topic,
    tokens,
    isUntold: model === undefined,
    extraction: model && new Extraction({ recorder, log, conversation, clock, model, holder }),
    compaction: createCompaction(options, host, topic),
    placement: new Placement({
      tokens,
      litm: seed,
      budgetTokens: options.budget_tokens ?? defaults.budget_tokens,
      recallTokens: options.recall_tokens ?? defaults.recall_tokens,
      seqOf: (message) => (message?.id === undefined ? undefined : log.find(message.id)?.seq),
    }),
    tools: createDecisionsTools({ log, recorder, conversation, isRead: model !== undefined }),
    maxOutputTokens: host.maxOutputTokens,
    roomTokens: undefined as number | undefined,
  }
}

function createCompaction(options: DecisionsOptions, host: EngineHost, topic: TopicWatch): ContextEngine {
  if (options.compaction !== undefined)
    return options.compaction.engine.create(options.compaction.options ?? {}, host)
  const parts = createWindowCompaction({
    host,
    seed: options.profile === 'seed',
    threshold: options.threshold ?? DECISIONS_DEFAULTS.threshold,
    floorTokens: options.threshold === undefined ? THRESHOLD_FLOOR_TOKENS : 0,
    hasTopicShift: () => topic.hasShifted,
  })
  return fillEngine('decisions', parts, host)
}

export function createDecisions(options: DecisionsOptions, host: EngineHost): EngineParts {
  const services = createServices(options, host)
  const { recorder, extraction, topic, compaction, tools } = services
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
      // A reported prompt includes the block of decisions; a session's estimate covers only the projection.
      const unseen = promptTokens === lastPromptTokens ? 0 : expectedTokens(services)
      return compaction.shouldCompress({ promptTokens: promptTokens + unseen })
    },
    shouldCompressPreflight: (messages) => compaction.shouldCompressPreflight(messages),
    pruneToolResults: (messages) => compaction.pruneToolResults(messages),
    hasContentToCompress: (messages) => compaction.hasContentToCompress(messages),
    compress: (call) => compress(services, call),
    async ingest(input) {
      if (options.profile === 'seed') watchTopic(topic, input.messages)
      const warnings = await compaction.ingest(input)
      await recorder.queueBatches(false)
      extraction?.start()
      return [...warnings, ...withoutModel(services), ...ownWarnings(services)]
    },
    async selectContext(call) {
      services.roomTokens = call.budgetTokens
      return place(services, call, await compaction.selectContext(call))
    },
    async onTurnComplete(turn) {
      await compaction.onTurnComplete(turn)
      await recorder.queueBatches(true)
      extraction?.start()
    },
    async onSessionStart(start) {
      await compaction.onSessionStart(start)
      // A store that cannot be read is tried again with the first message, and its error is reported there.
      await recorder.load().then(
        () => extraction?.start(),
        () => {},
      )
    },
    onSessionEnd: (messages) => compaction.onSessionEnd(messages),
    async onSessionReset() {
      await extraction?.stop()
      await compaction.onSessionReset()
      await recorder.reset()
      topic.clear()
      services.placement.beginEpoch()
    },
    onCompactionBoundary: (boundary) => compaction.onCompactionBoundary(boundary),
    updateModel(update) {
      compaction.updateModel(update)
      services.roomTokens = undefined
    },
    toolSchemas: (): readonly ToolSchema[] => [...tools.schemas, ...compaction.toolSchemas()],
    handleToolCall: (name, args, signal) =>
      tools.schemas.some((schema) => schema.function.name === name)
        ? tools.call(name, args, signal)
        : compaction.handleToolCall(name, args, signal),
    status: () => statusOf(services),
    async dispose() {
      await extraction?.stop()
      await compaction.dispose()
    },
  }
}

function ownWarnings({ extraction }: Services): readonly Warning[] {
  return extraction?.takeWarnings() ?? []
}

function withoutModel(services: Services): readonly Warning[] {
  if (!services.isUntold) return []
  services.isUntold = false
  const message =
    'there is no model that reads the conversation for decisions: only what the agent records with decisions_record is on ' +
    'record; give the session a model, or the engine an extraction_model'
  return [{ code: 'decisions-need-a-model', message }]
}

function watchTopic(topic: TopicWatch, messages: readonly Message[]): void {
  for (const message of messages)
    if (message.role === 'user' || message.role === 'assistant')
      topic.read(messageText(message), message.role === 'user')
}

/**
 * The estimated size of the next request's placement, in the provider's tokens. The projection does not contain it, so
 * neither a session's estimate nor a compaction counts it.
 */
function expectedTokens(services: Services): number {
  const { recorder, conversation, placement, compaction, tokens } = services
  const record = recorder.shown
  if (record === undefined) return 0
  const expected = placement.expectedTokens({
    record,
    roomTokens: services.roomTokens ?? compaction.contextLength - services.maxOutputTokens,
    query: conversation.query,
  })
  return scaled(tokens, expected)
}

function scaled({ calibration }: Services['tokens'], counted: number): number {
  return Math.ceil(calibration?.apply(counted) ?? counted)
}

async function compress(services: Services, call: CompressCall): Promise<CompressResult> {
  const { extraction, compaction, placement, tokens } = services
  // Messages about to leave the window are read first. They are stored, so a failure only costs time.
  await extraction?.flush(call.signal)
  const pause = createPause()
  const unseen = expectedTokens(services)
  await pause()
  const currentTokens = (call.currentTokens ?? scaled(tokens, countMessages(tokens, call.messages))) + unseen
  const result = await compaction.compress(unseen === 0 ? call : { ...call, currentTokens })
  if (result.outcome === 'compacted' && !keepsSummaries(call.messages, result.messages))
    placement.beginEpoch()
  return { ...result, warnings: [...result.warnings, ...ownWarnings(services)] }
}

function place(
  { recorder, placement }: Services,
  call: SelectCall,
  selected: SelectedContext | null,
): SelectedContext | null {
  const record = recorder.shown
  if (record === undefined) return selected
  const { messages } = selected ?? call
  return placement.place({ messages, roomTokens: call.budgetTokens, record }) ?? selected
}

/** The size of a session's record. */
export interface RecordCounts {
  /** Number of active decisions; `contested` and `rules` are part of it. */
  readonly active: number
  readonly contested: number
  readonly rules: number
  /** Number of open questions and intentions. */
  readonly open: number
  readonly proposed: number
  readonly superseded: number
  readonly retracted: number
}

function countRecord({ all }: DecisionLedger): RecordCounts {
  const of = (wanted: string) => all.filter(({ status }) => status === wanted)
  const [active, proposed] = [of('active'), of('proposed')]
  return {
    active: active.filter(({ kind }) => !isOpen(kind)).length,
    contested: active.filter(isContested).length,
    rules: active.filter(({ kind }) => kind === 'rule').length,
    open: [...active, ...proposed].filter(({ kind }) => isOpen(kind)).length,
    proposed: proposed.filter(({ kind }) => !isOpen(kind)).length,
    superseded: of('superseded').length,
    retracted: of('retracted').length,
  }
}

function statusOf({ compaction, recorder, placement, extraction }: Services): EngineStatus {
  const inner = compaction.status()
  const reading = extraction?.status()
  return {
    ...inner,
    name: 'decisions',
    details: {
      ...inner.details,
      compaction: compaction.name,
      decisions: recorder.shown?.ledger.all.length ?? 0,
      ...(recorder.shown && { on_record: countRecord(recorder.shown.ledger) }),
      epochs: placement.epochs,
      block_tokens: placement.blockTokens,
      extraction: reading ?? 'needs a model',
      is_busy: reading?.isBusy === true || inner.details?.is_busy === true,
      refused: { ...recorder.refused },
    },
  }
}

function capabilitiesOf(
  options: DecisionsOptions,
  { capabilities }: ContextEngine,
): readonly EngineCapability[] {
  const own: readonly EngineCapability[] = ['tools', 'selection']
  return [...new Set([...capabilities, ...own, ...(options.compaction ? [] : (['persistence'] as const))])]
}
