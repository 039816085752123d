import { normalizeUsage } from '../budget/normalize-usage.ts'
import { copyValue, snapshotMessage } from '../messages/copy-message.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import type { CachePlanner } from '../spec/cache-planner.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1, ModelUpdate } from '../spec/context-engine.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'
import { callEngineTool } from './call-engine-tool.ts'
import { contextOverflow } from './context-overflow.ts'
import { createEngineGuard } from './engine-guard.ts'
import { createEngineIntake } from './engine-intake.ts'
import { createEventHub } from './event-hub.ts'
import { createOverflowRecovery } from './overflow-recovery.ts'
import { createPromptBudget } from './prompt-budget.ts'
import { createRequestCache } from './request-cache.ts'
import { selectRequest } from './select-request.ts'
import { createSessionCompaction } from './session-compaction.ts'
import { createSessionProjection } from './session-projection.ts'
import { engineTools } from './session-tools.ts'
import type { CompactionTiming, ObservedResponse, Prepared, PrepareOptions } from './session-types.ts'
import { createTranscriptLedger } from './transcript-ledger.ts'
import { createWarningLog } from './warning-log.ts'

interface SessionCoreInput {
  readonly id: string
  readonly engine: ContextEngineV1
  readonly tokens: TokenCounter
  readonly contextLength: number
  readonly maxOutputTokens: number
  readonly enabled: boolean
  readonly cache: CachePlanner | undefined
  readonly compactAt: CompactionTiming
}

/**
 * The steps of a session in their order: host's list → ledger → projection → engine → request.
 * `createContextSession` makes sure that one runs at a time.
 */
export function createSessionCore({
  id,
  engine,
  tokens,
  maxOutputTokens,
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
  const recovery = createOverflowRecovery(engine, guard, compaction)
  let contextLength = input.contextLength
  let tools: { readonly host: readonly ToolSchema[]; readonly own: readonly ToolSchema[] } = {
    host: [],
    own: [],
  }
  let started = false

  const start = async (): Promise<void> => {
    if (!started) await engine.onSessionStart({ sessionId: id })
    started = true
  }

  /** Takes over the host's list. Synchronous, so that the host may change its list afterwards. */
  const take = (messages: readonly Message[]): void => {
    const before = ledger.messages
    const change = ledger.reconcile(messages)
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

  const finish = async (
    compactions: CompressResult[],
    options: Pick<PrepareOptions, 'signal' | 'followUp' | 'cacheSettings'>,
  ): Promise<Prepared> => {
    const { messages } = projection
    const { signal } = options
    const budgetTokens = budget.roomFor(contextLength, maxOutputTokens)
    const call = { messages, budgetTokens, ...(signal && { signal }) }
    const request = await selectRequest({ ...parts, transcript: ledger.messages, call })
    ledger.handOut(request)
    projection.sent()
    const plan = cache.plan(request, ledger.messages[0], options)
    return {
      tokens: budget.sent(messages, request),
      messages: request.map(copyValue),
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
      const { focusTopic, signal } = options
      take(messages)
      await start()
      setTools(options.tools ?? [])
      await intake.offer(ledger.messages, signal)
      const call = { ...(focusTopic !== undefined && { focusTopic }), ...(signal && { signal }) }
      const compactions = enabled ? await compaction.compactWhileDue(contextLength, call) : []
      return finish(compactions, options)
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
      const answer = message === undefined ? [] : [snapshotMessage(message, 'message')]
      const isTurnEnd = interrupted || answer.some((last) => toolCallsOf(last).length === 0)
      if (!isTurnEnd) return
      const turn = { messages: Object.freeze([...ledger.messages, ...answer]), usage: reported, interrupted }
      await guard.callAsync('onTurnComplete', undefined, () => engine.onTurnComplete(turn))
    },

    async callTool(name: string, args: unknown, signal: AbortSignal | undefined): Promise<string> {
      await start()
      return callEngineTool(engine, name, args, signal)
    },

    async compact({ focusTopic, signal }: Pick<PrepareOptions, 'focusTopic' | 'signal'>) {
      await start()
      const call = { ...(focusTopic !== undefined && { focusTopic }), ...(signal && { signal }) }
      return compaction.compactNow(call)
    },

    async recover(error: unknown, options: PrepareOptions): Promise<Prepared> {
      const { focusTopic, signal } = options
      const overflow = contextOverflow(error)
      if (overflow === undefined) throw error
      await start()
      if (options.tools !== undefined) setTools(options.tools)
      const promptTokens = budget.estimate(projection.messages).tokens
      if (overflow.limit !== undefined && overflow.limit < contextLength)
        setContextLength({ contextLength: overflow.limit })
      const result = await recovery.recover({ error, promptTokens, contextLength, focusTopic, signal })
      return finish([result], options)
    },

    updateModel(update: ModelUpdate): void {
      budget.forget()
      if (update.model !== undefined) cache.updateModel(update.model)
      setContextLength(update)
    },

    async reset(): Promise<void> {
      if (started) await guard.callAsync('onSessionReset', undefined, () => engine.onSessionReset())
      for (const part of [ledger, projection, intake, warnings]) part.clear()
      budget.forget()
      cache.reset()
      recovery.rearm()
      events.emit({ type: 'reset' })
    },

    async end(): Promise<void> {
      try {
        if (started) await engine.onSessionEnd(ledger.messages)
      } finally {
        try {
          await engine.dispose()
        } finally {
          events.emit({ type: 'ended' })
        }
      }
    },
  }
}
