import { normalizeUsage } from '../budget/normalize-usage.ts'
import { copyValue, snapshotMessage } from '../messages/copy-message.ts'
import { toolCallInput, toolCallName, toolCallsOf } from '../messages/message-text.ts'
import type { CachePlanner } from '../spec/v1/cache-planner.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine, ModelUpdate } from '../spec/v1/context-engine.ts'
import type { Message, ToolCall, ToolMessage } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'
import { callEngineTool } from './call-engine-tool.ts'
import { contextOverflow } from './context-overflow.ts'
import { createEngineGuard } from './engine-guard.ts'
import { createEngineIntake } from './engine-intake.ts'
import { createEngineLife } from './engine-life.ts'
import { createEventHub } from './event-hub.ts'
import { createOverflowRecovery } from './overflow-recovery.ts'
import { createPromptBudget } from './prompt-budget.ts'
import { createRequestCache } from './request-cache.ts'
import { type ComposedRequest, createRequestComposer, overWindow } from './request-composer.ts'
import { type CompactionCall, createSessionCompaction } from './session-compaction.ts'
import { createSessionProjection } from './session-projection.ts'
import { engineTools } from './session-tools.ts'
import type {
  CompactionTiming,
  CompactOptions,
  ObservedResponse,
  Prepared,
  PrepareOptions,
} from './session-types.ts'
import { createTranscriptLedger } from './transcript-ledger.ts'
import { createWarningLog } from './warning-log.ts'

interface SessionCoreInput {
  readonly id: string
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly contextLength: number
  readonly maxOutputTokens: number
  readonly modelName: string | undefined
  readonly platform: string | undefined
  readonly dataFolder: string | undefined
  readonly enabled: boolean
  readonly cache: CachePlanner | undefined
  readonly compactAt: CompactionTiming
}

const NOTHING_HANDED_OUT: ComposedRequest = { messages: [], origins: [], tokens: 0 }

/**
 * The steps of a session in their order: host's list → ledger → projection → engine → request.
 * `createContextSession` makes sure that one runs at a time.
 */
export function createSessionCore({
  id,
  engine,
  tokens,
  maxOutputTokens,
  platform,
  dataFolder,
  enabled,
  cache: planner,
  compactAt,
  ...input
}: SessionCoreInput) {
  const events = createEventHub()
  const warnings = createWarningLog(events)
  const guard = createEngineGuard(engine.name, warnings)
  const ledger = createTranscriptLedger()
  const projection = createSessionProjection()
  const budget = createPromptBudget(tokens)
  const intake = createEngineIntake(engine, guard, events)
  const parts = { engine, tokens, guard, events, warnings }
  const cache = createRequestCache(planner, events, warnings)
  const quote = planner && compactAt === 'cheapest' ? cache.quote : undefined
  const compaction = createSessionCompaction({ ...parts, ledger, projection, budget, quote, maxOutputTokens })
  const composer = createRequestComposer({ ...parts, ledger, projection, budget })
  const recovery = createOverflowRecovery(engine, guard, compaction, composer)
  /** What was handed out last. */
  let handedOut = NOTHING_HANDED_OUT
  const life = createEngineLife(engine, guard)
  let { contextLength, modelName } = input
  let tools: { readonly host: readonly ToolSchema[]; readonly own: readonly ToolSchema[] } = {
    host: [],
    own: [],
  }

  /** The answer that was observed last, as long as no list of the host has it. */
  let answer: Message[] = []

  const start = (signal?: AbortSignal): Promise<void> =>
    life.start(
      () => ({
        sessionId: id,
        contextLength,
        ...(modelName !== undefined && { model: modelName }),
        ...(platform !== undefined && { platform }),
        ...(dataFolder !== undefined && { dataFolder }),
      }),
      signal,
    )

  /** Takes over the host's list. Synchronous, so that the host may change its list afterwards. */
  const take = (messages: readonly Message[]): void => {
    const before = ledger.messages
    const change = ledger.reconcile(messages)
    answer = []
    for (const repair of projection.follow(ledger.messages, change, before))
      warnings.say({ code: 'repaired-input', message: `the host's messages were repaired: ${repair}` })
    intake.changedFrom(change.from)
    if (change.dropped > 0) events.emit({ type: 'edited', from: change.from, dropped: change.dropped })
    if (ledger.messages !== before) recovery.rearm()
  }

  const setTools = (host: readonly ToolSchema[]): void => {
    tools = { host, own: engineTools(host, engine, guard, warnings) }
    const all = [...tools.host, ...tools.own]
    budget.setTools(all)
    cache.setTools(all)
  }

  /** What a prompt may take: the window without what is reserved for the answer. */
  const limit = (): number =>
    maxOutputTokens < contextLength ? contextLength - maxOutputTokens : contextLength

  const handOut = (
    request: ComposedRequest,
    compactions: CompressResult[],
    options: Pick<PrepareOptions, 'followUp' | 'cacheSettings'>,
  ): Prepared => {
    handedOut = request
    ledger.handOut(request.messages)
    const plan = cache.plan(request.messages, ledger.messages[0], options)
    budget.sent(projection.messages, request.messages)
    projection.sent()
    return {
      tokens: request.tokens,
      messages: request.messages.map(copyValue),
      origins: request.origins,
      // A host marks tools for its provider's cache: the engine's must not change by that.
      tools: [...tools.host, ...tools.own.map(copyValue)],
      cache: plan,
      compactions,
      warnings: warnings.take(),
    }
  }

  const setContextLength = (update: ModelUpdate): void => {
    contextLength = update.contextLength
    guard.call('updateModel', undefined, () => engine.updateModel(update))
  }

  return {
    subscribe: events.subscribe,
    get transcript() {
      return ledger.messages
    },

    async prepare(messages: readonly Message[], options: PrepareOptions): Promise<Prepared> {
      const { signal } = options
      take(messages)
      await start(signal)
      setTools(options.tools ?? [])
      await intake.offer(ledger.messages, signal)
      const compactions = enabled ? await compaction.compactWhileDue(contextLength, compactCall(options)) : []
      const limitTokens = limit()
      const cutAboveTokens = enabled ? limitTokens : Number.POSITIVE_INFINITY
      const request = await composer.compose({ limitTokens, cutAboveTokens, signal })
      if (request.tokens > limitTokens) {
        const message = overWindow(request.tokens, limitTokens, composer.parts(request))
        warnings.say({ code: 'over-window', message })
      }
      return handOut(request, compactions, options)
    },

    async observe({ message, usage, interrupted = false }: ObservedResponse): Promise<void> {
      await start()
      const reported = usage ? normalizeUsage(usage) : null
      if (reported !== null) {
        guard.call('updateFromResponse', undefined, () => engine.updateFromResponse(reported))
        budget.reported(reported.promptTokens)
        events.emit({ type: 'usage', usage: reported })
      }
      // Without either nothing came back.
      if (reported !== null || message !== undefined) cache.observe(reported)
      answer = message === undefined ? [] : [snapshotMessage(message, 'message')]
      const isTurnEnd = interrupted || answer.some((last) => toolCallsOf(last).length === 0)
      if (!isTurnEnd) return
      const turn = { messages: Object.freeze([...ledger.messages, ...answer]), usage: reported, interrupted }
      await guard.callAsync('onTurnComplete', undefined, () => engine.onTurnComplete(turn))
    },

    async callTool(name: string, args: unknown, signal: AbortSignal | undefined): Promise<string> {
      await start(signal)
      return callEngineTool(engine, name, args, signal)
    },

    async answerCall(call: ToolCall, signal: AbortSignal | undefined): Promise<ToolMessage | undefined> {
      const name = toolCallName(call)
      if (!tools.own.some((tool) => tool.function.name === name)) return undefined
      await start(signal)
      const content = await callEngineTool(engine, name, toolCallInput(call), signal)
      return { role: 'tool', tool_call_id: call.id, content }
    },

    async compact(options: CompactOptions) {
      await start(options.signal)
      return compaction.compactNow(compactCall(options))
    },

    async recover(error: unknown, options: PrepareOptions): Promise<Prepared> {
      const overflow = contextOverflow(error)
      if (overflow === undefined) throw error
      await start(options.signal)
      if (options.tools !== undefined) setTools(options.tools)
      if (overflow.limit !== undefined && overflow.limit < contextLength)
        setContextLength({ contextLength: overflow.limit })
      const call = compactCall(options)
      const { result, request } = await recovery.recover({
        error,
        refused: handedOut,
        contextLength,
        limitTokens: limit(),
        call,
      })
      return handOut(request, [result], options)
    },

    updateModel(update: ModelUpdate): void {
      budget.forget()
      composer.clear()
      if (update.model !== undefined) cache.updateModel(update.model)
      modelName = update.model ?? modelName
      setContextLength(update)
    },

    async reset(): Promise<void> {
      await life.reset()
      answer = []
      for (const part of [ledger, projection, intake, warnings, composer]) part.clear()
      handedOut = NOTHING_HANDED_OUT
      budget.forget()
      cache.reset()
      recovery.rearm()
      events.emit({ type: 'reset' })
    },

    async end(): Promise<void> {
      try {
        await life.end(Object.freeze([...ledger.messages, ...answer]))
      } finally {
        events.emit({ type: 'ended' })
      }
    },
  }
}

function compactCall({ focusTopic, memoryContext, signal }: CompactOptions): CompactionCall {
  return {
    ...(focusTopic !== undefined && { focusTopic }),
    ...(memoryContext !== undefined && { memoryContext }),
    ...(signal !== undefined && { signal }),
  }
}
