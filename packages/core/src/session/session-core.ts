import { countHistory } from '../budget/count-messages.ts'
import { normalizeUsage } from '../budget/normalize-usage.ts'
import { errorText } from '../errors/error-text.ts'
import { copyValue, snapshotMessage } from '../messages/copy-message.ts'
import { toolCallInput, toolCallName, toolCallsOf } from '../messages/message-text.ts'
import type { CachePlanner } from '../spec/v1/cache-planner.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { ContextEngine, ModelUpdate } from '../spec/v1/context-engine.ts'
import type { Message, ToolCall, ToolMessage } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'
import { contextOverflow } from './context-overflow.ts'
import { createEngineGuard } from './engine-guard.ts'
import { createEngineLife } from './engine-life.ts'
import { createEventHub } from './event-hub.ts'
import { createOverflowRecovery } from './overflow-recovery.ts'
import { createPromptBudget, LEAST_SHARE } from './prompt-budget.ts'
import { createRequestCache } from './request-cache.ts'
import { type ComposedRequest, createRequestComposer, overWindow } from './request-composer.ts'
import { type CompactionCall, createSessionCompaction } from './session-compaction.ts'
import { createSessionProjection } from './session-projection.ts'
import { callEngineTool, engineTools } from './session-tools.ts'
import type {
  CompactionTiming,
  CompactOptions,
  LastCompaction,
  ObservedResponse,
  Prepared,
  PrepareOptions,
} from './session-types.ts'
import type { StoredProjection } from './stored-projection.ts'
import { createTranscriptLedger, type TranscriptChange } from './transcript-ledger.ts'
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
  readonly restored: StoredProjection | undefined
}

const USAGE_IGNORED =
  'the usage of an answer has less than a quarter of the tokens of its prompt and is not believed: the server left out what it had cached, or it read only a part (with Ollama, raise num_ctx)'

const NOTHING_HANDED_OUT: ComposedRequest = { messages: [], origins: [], tokens: 0 }

/** The parts of a session, which know each other and nothing of its order. */
function createParts(input: SessionCoreInput) {
  const { engine, tokens, cache: planner, compactAt } = input
  const events = createEventHub()
  const warnings = createWarningLog(events)
  const guard = createEngineGuard(engine.name, warnings)
  const ledger = createTranscriptLedger()
  const projection = createSessionProjection()
  const budget = createPromptBudget(tokens)
  const parts = { engine, tokens, guard, events, warnings, ledger, projection, budget }
  const cache = createRequestCache(planner, events, warnings)
  const isIdle = () => compactAt === 'idle' && !cache.isWarm()
  const compaction = createSessionCompaction({ ...parts, isIdle })
  const composer = createRequestComposer(parts)
  const recovery = createOverflowRecovery(engine, guard, compaction, composer)
  const life = createEngineLife(engine, guard, warnings, events)
  return { ...parts, cache, compaction, composer, recovery, life }
}

/**
 * The steps of a session in their order: host's list → ledger → projection → engine → request.
 * `createContextSession` makes sure that one runs at a time.
 */
export class SessionCore {
  readonly #input: SessionCoreInput
  readonly #parts: ReturnType<typeof createParts>
  #contextLength: number
  #modelName: string | undefined
  #tools: { readonly host: readonly ToolSchema[]; readonly own: readonly ToolSchema[] } = {
    host: [],
    own: [],
  }
  #handedOut = NOTHING_HANDED_OUT
  /** The largest prompt that the model answered, in tokens. */
  #answered = 0
  /** Whether messages were appended that the projection does not show yet. */
  #isBehind = false
  /** Messages of the transcript whose tokens were counted. */
  #counted = 0
  /** The answer that was observed last, as long as no list of the host has it. */
  #answer: Message[] = []
  /** What a host kept, as long as there is no transcript that it could belong to. */
  #restored: StoredProjection | undefined

  constructor(input: SessionCoreInput) {
    this.#input = input
    this.#parts = createParts(input)
    this.#contextLength = input.contextLength
    this.#modelName = input.modelName
    this.#restored = input.restored
  }

  get subscribe() {
    return this.#parts.events.subscribe
  }

  get transcript(): readonly Message[] {
    return this.#parts.ledger.messages
  }

  get lastCompaction(): LastCompaction | undefined {
    return this.#parts.compaction.last()
  }

  get stored(): StoredProjection | undefined {
    const { projection, ledger } = this.#parts
    return this.#restored ?? projection.stored(ledger.messages)
  }

  /** Without messages for those that are known. */
  async prepare(messages: readonly Message[] | undefined, options: PrepareOptions): Promise<Prepared> {
    const { ledger, life, compaction, composer, warnings } = this.#parts
    const { enabled, tokens } = this.#input
    const { signal } = options
    if (messages !== undefined) this.#follow(ledger.reconcile(messages))
    this.#catchUp()
    await this.#start(signal)
    await countHistory(tokens, ledger.messages.slice(this.#counted), this.#contextLength)
    this.#counted = ledger.messages.length
    this.#setTools(options.tools ?? [])
    await life.ingest(ledger.messages, signal)
    const compactions = enabled
      ? await compaction.compactWhileDue(this.#contextLength, compactCall(options))
      : []
    const limitTokens = this.#limit()
    const cutAboveTokens = enabled ? limitTokens : Number.POSITIVE_INFINITY
    const request = await composer.compose({ limitTokens, cutAboveTokens, signal })
    if (request.tokens > limitTokens) {
      const message = overWindow(request.tokens, limitTokens, composer.parts(request))
      warnings.say({ code: 'over-window', message })
    }
    return this.#handOut(request, compactions, options)
  }

  async observe({ message, usage, interrupted = false }: ObservedResponse): Promise<void> {
    const { engine, guard, budget, events, cache, ledger, warnings } = this.#parts
    await this.#start()
    const reported = usage ? normalizeUsage(usage) : null
    if (reported !== null) {
      if (budget.reported(reported.promptTokens))
        guard.call('updateFromResponse', undefined, () => engine.updateFromResponse(reported))
      else warnings.say({ code: 'usage-ignored', message: USAGE_IGNORED })
      events.emit({ type: 'usage', usage: reported })
    }
    // Without either nothing came back.
    if (reported !== null || message !== undefined) {
      cache.observe(reported)
      this.#answered = Math.max(this.#answered, this.#handedOut.tokens)
    }
    this.#answer = message === undefined ? [] : [snapshotMessage(message, 'message')]
    const isTurnEnd = interrupted || this.#answer.some((last) => toolCallsOf(last).length === 0)
    if (!isTurnEnd) return
    const messages = Object.freeze([...ledger.messages, ...this.#answer])
    const turn = { messages, usage: reported, interrupted }
    await guard.callAsync('onTurnComplete', undefined, () => engine.onTurnComplete(turn))
  }

  async callTool(name: string, args: unknown, signal: AbortSignal | undefined): Promise<string> {
    await this.#start(signal)
    return callEngineTool(this.#parts.engine, name, args, signal)
  }

  async answerCall(call: ToolCall, signal: AbortSignal | undefined): Promise<ToolMessage | undefined> {
    const name = toolCallName(call)
    if (!this.#tools.own.some((tool) => tool.function.name === name)) return undefined
    const content = await this.callTool(name, toolCallInput(call), signal)
    return { role: 'tool', tool_call_id: call.id, content }
  }

  async compact(options: CompactOptions): Promise<CompressResult> {
    await this.#start(options.signal)
    this.#catchUp()
    return this.#parts.compaction.compactNow(compactCall(options))
  }

  async undoCompaction(): Promise<LastCompaction | undefined> {
    this.#catchUp()
    const undone = this.#parts.compaction.undo()
    if (undone !== undefined) this.#parts.recovery.rearm()
    return undone
  }

  async recover(error: unknown, options: PrepareOptions): Promise<Prepared> {
    const overflow = contextOverflow(error)
    if (overflow === undefined) throw error
    await this.#start(options.signal)
    this.#catchUp()
    if (options.tools !== undefined) this.#setTools(options.tools)
    const { limit = this.#contextLength } = overflow
    // Far below what was answered, the number in the message is something else.
    if (limit < this.#contextLength && limit >= this.#answered * LEAST_SHARE)
      this.#setContextLength({ contextLength: limit })
    const { result, request } = await this.#parts.recovery.recover({
      error,
      refused: this.#handedOut,
      contextLength: this.#contextLength,
      limitTokens: this.#limit(),
      call: compactCall(options),
    })
    return this.#handOut(request, [result], options)
  }

  updateModel(update: ModelUpdate): void {
    const { budget, composer, cache } = this.#parts
    budget.forget()
    composer.clear()
    if (update.model !== undefined) cache.updateModel(update.model)
    this.#answered = 0
    this.#modelName = update.model ?? this.#modelName
    this.#setContextLength(update)
  }

  async reset(): Promise<void> {
    const { life, ledger, projection, compaction, warnings, composer } = this.#parts
    const { budget, cache, recovery, events } = this.#parts
    await life.reset()
    this.#answer = []
    this.#handedOut = NOTHING_HANDED_OUT
    this.#counted = 0
    this.#isBehind = false
    this.#restored = undefined
    for (const part of [ledger, projection, compaction, warnings, composer]) part.clear()
    budget.forget()
    cache.reset()
    recovery.rearm()
    events.emit({ type: 'reset' })
  }

  async end(): Promise<void> {
    const { life, ledger, events } = this.#parts
    try {
      await life.end(Object.freeze([...ledger.messages, ...this.#answer]))
    } finally {
      events.emit({ type: 'ended' })
    }
  }

  #start(signal?: AbortSignal): Promise<void> {
    const { id, platform, dataFolder } = this.#input
    const facts = () => ({
      sessionId: id,
      contextLength: this.#contextLength,
      ...(this.#modelName !== undefined && { model: this.#modelName }),
      ...(platform !== undefined && { platform }),
      ...(dataFolder !== undefined && { dataFolder }),
    })
    return this.#parts.life.start(facts, signal)
  }

  /** Takes over messages behind the transcript. Synchronous. */
  append(messages: readonly Message[]): void {
    this.#parts.ledger.append(messages)
    this.#isBehind = true
  }

  /** Follows what was appended: not earlier, because a call and its result may come one by one. */
  #catchUp(): void {
    const { length } = this.#parts.ledger.messages
    if (this.#isBehind) this.#follow({ from: length, taken: [], added: 1 })
  }

  /** Follows a change of the transcript. */
  #follow(change: TranscriptChange): void {
    const { ledger, projection, warnings, life, events, recovery } = this.#parts
    const dropped = change.taken.length
    this.#answer = []
    this.#isBehind = false
    this.#restore()
    for (const repair of projection.follow(ledger.messages, change))
      warnings.say({ code: 'repaired-input', message: `the host's messages were repaired: ${repair}` })
    life.changedFrom(change.from)
    this.#counted = Math.min(this.#counted, change.from)
    if (dropped > 0) events.emit({ type: 'edited', from: change.from, dropped })
    if (dropped > 0 || change.added > 0 || change.system !== undefined) recovery.rearm()
  }

  #restore(): void {
    const { ledger, projection, warnings } = this.#parts
    const restored = this.#restored
    if (restored === undefined || ledger.messages.length === 0) return
    this.#restored = undefined
    try {
      projection.restore(restored, ledger.messages)
    } catch (error) {
      const message = `what was kept of the last compaction does not fit the conversation, which begins with all that was said: ${errorText(error)}`
      warnings.say({ code: 'restored-ignored', message })
    }
  }

  #setTools(host: readonly ToolSchema[]): void {
    const { engine, guard, warnings, budget, cache } = this.#parts
    const own = engineTools(host, engine, guard, warnings)
    this.#tools = { host, own }
    budget.setTools([...host, ...own])
    cache.setTools([...host, ...own])
  }

  /** The tokens that a prompt may take: the window without what is reserved for the answer. */
  #limit(): number {
    const { maxOutputTokens } = this.#input
    const window = this.#contextLength
    return maxOutputTokens < window ? window - maxOutputTokens : window
  }

  #handOut(request: ComposedRequest, compactions: CompressResult[], options: PrepareOptions): Prepared {
    const { ledger, cache, budget, projection, warnings } = this.#parts
    this.#handedOut = request
    ledger.handOut(request.messages)
    const plan = cache.plan(request.messages, ledger.messages[0], options)
    budget.sent(projection.messages, request.messages)
    projection.sent()
    const own = <T>(value: T): T => (options.frozen === true ? value : copyValue(value))
    return {
      tokens: request.tokens,
      messages: options.frozen === true ? (request.messages as Message[]) : request.messages.map(copyValue),
      origins: request.origins,
      // A host marks tools for its provider's cache: the engine's must not change by that.
      tools: [...this.#tools.host, ...this.#tools.own.map(own)],
      cache: plan,
      compactions,
      warnings: warnings.take(),
    }
  }

  #setContextLength(update: ModelUpdate): void {
    const { guard, engine } = this.#parts
    this.#contextLength = update.contextLength
    guard.call('updateModel', undefined, () => engine.updateModel(update))
  }
}

function compactCall({ focusTopic, memoryContext, signal }: CompactOptions): CompactionCall {
  return {
    ...(focusTopic !== undefined && { focusTopic }),
    ...(memoryContext !== undefined && { memoryContext }),
    ...(signal !== undefined && { signal }),
  }
}
