import { countHistory, roughTokenCounter } from '../budget/count-tokens.ts'
import { normalizeUsage } from '../budget/normalize-usage.ts'
import { HYGIENE_SHARE } from '../budget/threshold.ts'
import { isEngineDefinition } from '../engine/define-context-engine.ts'
import { callEngineTool, engineTools } from '../engine/run-engine-tool.ts'
import {
  ContextOverflowError,
  errorText,
  InvalidEngineError,
  InvalidOptionError,
  PalimpsestError,
} from '../errors/errors.ts'
import { isSpoken } from '../messages/instructions.ts'
import { copyValue, isObject, snapshotMessage } from '../messages/json-value.ts'
import { toolCallInput, toolCallName, toolCallsOf } from '../messages/message-parts.ts'
import {
  isCompactionRefusal,
  type ReasoningRule,
  reasoningRefusal,
  reasoningRule,
} from '../messages/reasoning.ts'
import type {
  CompressResult,
  ContextEngine,
  LastRequest,
  Message,
  ModelUpdate,
  StoredSession,
  TokenCounter,
  ToolCall,
  ToolMessage,
  ToolSchema,
} from '../spec/v1/index.ts'
import { contextOverflow } from './context-overflow.ts'
import { createConversationLog, type LogChange, type SessionLog } from './conversation-log.ts'
import { openStore } from './open-store.ts'
import { createPromptBudget, LEAST_SHARE } from './prompt-budget.ts'
import { PROMPT_STATES } from './prompt-states.ts'
import { snapshotMessages } from './read-host-list.ts'
import { createRequestCache } from './request-cache.ts'
import { type ComposedRequest, createRequestComposer, largestPart, overWindow } from './request-composer.ts'
import { atOnce, createPause, createSerialQueue, inSlices } from './scheduling.ts'
import { type CompactionCall, createSessionCompaction } from './session-compaction.ts'
import { createSessionProjection } from './session-projection.ts'
import { createEngineGuard, createEngineLife, createEventHub, createWarningLog } from './session-reports.ts'
import type {
  CompactOptions,
  ContextSession,
  ContextSessionOptions,
  LastCompaction,
  ObservedResponse,
  Prepared,
  PrepareOptions,
} from './session-types.ts'

/**
 * Creates a session: one engine for one conversation.
 *
 * @throws InvalidEngineError if `defineContextEngine` did not return `engine`.
 * @throws InvalidOptionError for a window that is not a positive number of tokens, an answer that fills it, or options
 * that the engine refuses.
 */
export function createContextSession<Options = Record<string, unknown>>(
  input: ContextSessionOptions<Options>,
): ContextSession {
  const { contextLength, maxOutputTokens = 0, tokens = roughTokenCounter, model } = input
  if (!isEngineDefinition(input.engine)) throw new InvalidEngineError(describeNoEngine(input.engine))
  assertWindow(contextLength)
  assertReserve(maxOutputTokens, contextLength)
  const id = input.sessionId ?? globalThis.crypto.randomUUID()
  const clock = input.clock ?? { now: Date.now }
  const make = input.store === undefined ? input.engine.store : undefined
  const { open, close } = openStore({ ...input, make, key: id, clock })
  const log = createConversationLog({ tokens, clock, open })
  let steps: SessionSteps | undefined
  const engine = input.engine.create((input.options ?? {}) as Options, {
    contextLength,
    maxOutputTokens,
    tokens,
    clock,
    sessionId: id,
    log,
    lastRequest: () => steps?.lastRequest,
    ...(model !== undefined && { model }),
  })
  steps = new SessionSteps({ ...input, id, engine, tokens, maxOutputTokens, log, open, close })
  const enqueue = createSerialQueue()
  let ended: Promise<void> | undefined

  const run = async <T>(method: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (ended !== undefined)
      throw new PalimpsestError('SESSION_ENDED', `${method}() was called after end(); create a new session`)
    return enqueue(task, signal)
  }
  const session = {
    id,
    engine,
    log,
    get transcript() {
      return steps.transcript
    },
    get lastCompaction() {
      return steps.lastCompaction
    },
    async prepare(messages?: readonly Message[], options: PrepareOptions = {}): Promise<Prepared> {
      // A call that starts now reads the list before it returns; a queued call needs a copy.
      const isRead = messages === undefined || enqueue.idle || options.frozen === true
      const list = isRead ? messages : snapshotMessages(messages)
      return run('prepare', () => steps.prepare(list, options), options.signal)
    },
    async append(messages: readonly Message[]): Promise<void> {
      const list = snapshotMessages(messages)
      return run('append', () => steps.append(list))
    },
    observe: (response: ObservedResponse) => run('observe', () => steps.observe(response)),
    callTool: (name: string, args: unknown, { signal }: CompactOptions = {}) =>
      run('callTool', () => steps.callTool(name, args, signal), signal),
    answerCall: (call: ToolCall, { signal }: CompactOptions = {}) =>
      run('answerCall', () => steps.answerCall(call, signal), signal),
    compact: (options: CompactOptions = {}) => run('compact', () => steps.compact(options), options.signal),
    undoCompaction: () => run('undoCompaction', () => steps.undoCompaction()),
    recover: (error: unknown, options: PrepareOptions = {}) =>
      run('recover', () => steps.recover(error, options), options.signal),
    updateModel: (update: ModelUpdate) =>
      run('updateModel', async () => {
        assertWindow(update?.contextLength)
        steps.updateModel(update)
      }),
    reset: () => run('reset', () => steps.reset()),
    end(): Promise<void> {
      ended ??= enqueue(() => steps.end())
      return ended
    },
    subscribe: steps.subscribe,
  }
  return session as ContextSession
}

function assertWindow(contextLength: unknown): void {
  if (typeof contextLength === 'number' && Number.isFinite(contextLength) && contextLength > 0) return
  throw new InvalidOptionError(
    'contextLength',
    `contextLength must be the model's window in tokens, a number above 0, and is ${String(contextLength)}`,
  )
}

function assertReserve(maxOutputTokens: unknown, contextLength: number): void {
  if (typeof maxOutputTokens === 'number' && maxOutputTokens >= 0 && maxOutputTokens < contextLength) return
  throw new InvalidOptionError(
    'maxOutputTokens',
    `maxOutputTokens must leave room in the window of ${contextLength} tokens, and is ${String(maxOutputTokens)}`,
  )
}

const USAGE_IGNORED =
  'the usage of an answer has less than a quarter of the tokens of its prompt and is not believed: the server left out what it had cached, or it read only a part (with Ollama, raise num_ctx)'

const NAMED_ROWS = 10

function damageText(refs: readonly string[]): string {
  const names = refs.slice(0, NAMED_ROWS).join(', ')
  const more = refs.length > NAMED_ROWS ? ` and ${refs.length - NAMED_ROWS} more` : ''
  return `the store does not have ${names}${more} as stored; what is damaged is left out: palimpsest store verify names all of it`
}

const REASONING_REFUSED: Readonly<Record<ReasoningRule, string>> = {
  bound:
    'the provider refused reasoning that it gave after another prompt; from now on it is left out after a change',
  kept: 'the provider missed the reasoning of messages after a change; from now on all of it is sent',
}

const NATIVE_LEFT =
  'the compaction that a provider wrote cannot be read by this model, account or key: the conversation goes on with the summary beside it; every message is still in the log'

const OVERFLOW_TARGET_SHARE = 0.5
/** Share of a rejected prompt above which long texts are cut when the provider names no usable limit. */
const UNKNOWN_LIMIT_SHARE = 0.75

const NOTHING_HANDED_OUT: ComposedRequest = { messages: [], tokens: 0 }

function describeNoEngine(given: unknown): string {
  const what =
    typeof given === 'string'
      ? `the text ${JSON.stringify(given.slice(0, 80))}`
      : isObject(given) && 'default' in given
        ? 'a whole module: pass its default export'
        : given === null
          ? 'null'
          : typeof given
  return `engine must be what defineContextEngine() returned, such as the default export of @palimpsest/lcm, and is ${what}`
}

/** A request, with the log's message and edit counts at that time. */
type SentRequest = LastRequest & { readonly count: number; readonly edits: number }

interface StepsInput extends Omit<ContextSessionOptions<never>, 'engine' | 'options'> {
  readonly id: string
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly maxOutputTokens: number
  readonly log: SessionLog
  readonly open: (() => Promise<StoredSession>) | undefined
  readonly close: () => Promise<void>
}

function createParts(
  { engine, tokens, log, cache: planner, compactAt, onUnheardWarning }: StepsInput,
  isBound: () => boolean,
) {
  const events = createEventHub(onUnheardWarning)
  const warnings = createWarningLog(events)
  const guard = createEngineGuard(engine.name, warnings)
  const projection = createSessionProjection(log, engine.name, isBound)
  const budget = createPromptBudget(tokens)
  const parts = { engine, tokens, guard, events, warnings, log, projection, budget }
  const cache = createRequestCache(planner, warnings)
  const compaction = createSessionCompaction({ ...parts, compactAt })
  const composer = createRequestComposer(parts, isBound)
  const life = createEngineLife(engine, guard, warnings, events)
  return { ...parts, cache, compaction, composer, life }
}

class SessionSteps {
  readonly #input: StepsInput
  readonly #parts: ReturnType<typeof createParts>
  #contextLength: number
  #modelName: string | undefined
  #reasoning: ReasoningRule
  readonly #refusedRules = new Set<ReasoningRule>()
  #tools: { readonly host: readonly ToolSchema[]; readonly own: readonly ToolSchema[] } = {
    host: [],
    own: [],
  }
  #offersTools = true
  #handedOut = NOTHING_HANDED_OUT
  #sent: SentRequest | undefined
  #sentBefore: SentRequest | undefined
  #answered = 0
  #isBehind = false
  #counted = 0
  #answer: Message[] = []
  #transcript: readonly Message[] = Object.freeze([])
  #transcriptOf: readonly Message[] = []
  #isLoaded: boolean
  /** True while messages come from the store and the host has not sent its list yet. */
  #isResumed = false
  #saved: object | undefined
  #damageReported = 0
  #isRecovered = false

  constructor(input: StepsInput) {
    this.#input = input
    this.#parts = createParts(input, () => this.#reasoning === 'bound')
    this.#reasoning = reasoningRule(input.modelName)
    this.#contextLength = input.contextLength
    this.#modelName = input.modelName
    this.#isLoaded = input.open === undefined
  }

  get subscribe() {
    return this.#parts.events.subscribe
  }

  get transcript(): readonly Message[] {
    const { said } = this.#parts.log
    if (this.#transcript.length !== said.length || this.#transcriptOf !== said) {
      this.#transcript = Object.freeze([...said])
      this.#transcriptOf = said
    }
    return this.#transcript
  }

  get lastCompaction(): LastCompaction | undefined {
    return this.#parts.compaction.last()
  }

  /** The last answered request: a compaction may run while the next one is under way. */
  get lastRequest(): LastRequest | undefined {
    return this.#continued(this.#sent) ?? this.#continued(this.#sentBefore)
  }

  #continued(sent: SentRequest | undefined): LastRequest | undefined {
    const { log, cache } = this.#parts
    if (sent?.edits !== log.edits || !sent.cache || !cache.isWarm()) return undefined
    const { messages, tools, cache: plan } = sent
    const since = log.messages.slice(sent.count)
    const end = since.findLastIndex(({ role }) => role !== 'user') + 1
    if (end === 0) return undefined
    return { messages: [...messages, ...since.slice(0, end).map(log.bare)], tools: tools ?? [], cache: plan }
  }

  async prepare(messages: readonly Message[] | undefined, options: PrepareOptions): Promise<Prepared> {
    const { log, life, compaction, composer, warnings } = this.#parts
    const { enabled = true, tokens } = this.#input
    const { signal } = options
    const pause = createPause()
    const isRead = messages === undefined || this.#isLoaded || options.frozen === true
    const list = isRead ? messages : snapshotMessages(messages)
    if (!this.#isLoaded) await this.#load()
    const { modelName: model } = options
    if (model !== undefined && model !== this.#modelName)
      this.updateModel({ model, contextLength: this.#contextLength })
    if (list !== undefined) await this.#take(list, options.frozen === true)
    this.#catchUp()
    await pause()
    await this.#start(signal)
    await countHistory(tokens, log.messages.slice(this.#counted), this.#contextLength)
    this.#counted = log.messages.length
    this.#setTools(options.tools ?? [], options.offersTools)
    warnings.say(...(await log.save()))
    await life.ingest(log.messages, signal)
    await pause()
    const whole = options.whole && this.#wholeRequest(options.whole)
    if (whole !== undefined) {
      await this.#warnOfDamage()
      const prepared = this.#handOut(whole, [], options)
      await this.#saveProjection()
      return prepared
    }
    const limitTokens = this.#limit()
    const waitAt = Math.min(limitTokens, this.#contextLength * HYGIENE_SHARE)
    const compactions = enabled
      ? await compaction.compactWhileDue(this.#contextLength, waitAt, compactCall(options))
      : []
    await pause()
    const cutAboveTokens = enabled ? limitTokens : Number.POSITIVE_INFINITY
    const offersTools = this.#offersTools
    const request = await composer.compose({ limitTokens, cutAboveTokens, offersTools, signal })
    if (request.tokens > limitTokens) {
      const message = overWindow(request.tokens, limitTokens, composer.parts(request.messages))
      warnings.say({ code: 'over-window', message })
    }
    await this.#warnOfDamage()
    await pause()
    const prepared = this.#handOut(request, compactions, options)
    await this.#saveProjection()
    return prepared
  }

  async observe({ message, usage, interrupted = false }: ObservedResponse): Promise<void> {
    const { engine, guard, budget, events, log, warnings } = this.#parts
    await this.#start()
    const reported = usage ? normalizeUsage(usage) : null
    if (reported !== null) {
      if (budget.reported(reported.promptTokens))
        guard.call('updateFromResponse', undefined, () => engine.updateFromResponse(reported))
      else warnings.say({ code: 'usage-ignored', message: USAGE_IGNORED })
      events.emit({ type: 'usage', usage: reported })
    }
    if (reported !== null || message !== undefined) {
      this.#answered = Math.max(this.#answered, this.#handedOut.tokens)
      this.#refusedRules.clear()
    }
    this.#answer = message === undefined ? [] : [snapshotMessage(message, 'message')]
    const isTurnEnd = interrupted || this.#answer.some((last) => toolCallsOf(last).length === 0)
    if (!isTurnEnd) return
    const answer = this.#answer
    let messages: readonly Message[] | undefined
    const turn = {
      usage: reported,
      interrupted,
      get messages() {
        messages ??= Object.freeze([...log.messages, ...answer])
        return messages
      },
    }
    await guard.callAsync('onTurnComplete', undefined, () => engine.onTurnComplete(turn))
  }

  async callTool(name: string, args: unknown, signal: AbortSignal | undefined): Promise<string> {
    await this.#load()
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
    await this.#load()
    await this.#start(options.signal)
    this.#catchUp()
    const result = await this.#parts.compaction.compactNow(compactCall(options))
    await this.#saveProjection()
    return { ...result, messages: result.messages.map(this.#parts.log.bare) }
  }

  async undoCompaction(): Promise<LastCompaction | undefined> {
    this.#catchUp()
    const undone = this.#parts.compaction.undo()
    if (undone !== undefined) this.#isRecovered = false
    await this.#saveProjection()
    return undone
  }

  async recover(error: unknown, options: PrepareOptions): Promise<Prepared> {
    const overflow = contextOverflow(error)
    if (overflow === undefined && isCompactionRefusal(error) && this.#dropNative())
      return this.#composeAgain(options)
    if (overflow === undefined) return this.#showReasoning(error, options)
    const { composer, compaction, guard, engine } = this.#parts
    const { signal } = options
    await this.#resume(options)
    const { limit = this.#contextLength } = overflow
    // A number far below an accepted prompt is not the window.
    if (limit < this.#contextLength && limit >= this.#answered * LEAST_SHARE)
      this.#setContextLength({ contextLength: limit })
    const refused = this.#handedOut
    if (this.#isRecovered) throw this.#tooLong(error, refused, 'it was compacted for this request before')

    const window = this.#contextLength
    const threshold = guard.call('thresholdTokens', window, () => engine.thresholdTokens)
    const targetTokens = Math.floor(Math.min(threshold, window) * OVERFLOW_TARGET_SHARE)
    const harder = { ...compactCall(options), force: true, targetTokens }
    const { result, committed } = await compaction.compact('overflow', harder)
    const limitTokens = this.#limit()
    const evenPartly = refused.tokens <= limitTokens
    const cutAboveTokens = evenPartly ? Math.floor(refused.tokens * UNKNOWN_LIMIT_SHARE) : limitTokens
    const offersTools = this.#offersTools
    const request = await composer.compose({ limitTokens, cutAboveTokens, evenPartly, offersTools, signal })
    this.#isRecovered = true
    const isSmaller = committed || request.tokens < refused.tokens
    if (!isSmaller || request.tokens > limitTokens)
      throw this.#tooLong(error, request, `compacting harder gave: ${result.outcome}, ${result.reason}`)
    const prepared = this.#handOut(request, [result], options)
    await this.#saveProjection()
    return prepared
  }

  #wholeRequest(when: 'always' | 'if-it-fits'): ComposedRequest | undefined {
    const { projection, budget } = this.#parts
    const messages = projection.whole()
    const { tokens } = budget.estimate(messages)
    return when === 'always' || tokens <= this.#limit() ? { messages, tokens } : undefined
  }

  async #resume({ signal, tools, offersTools }: PrepareOptions): Promise<void> {
    await this.#start(signal)
    this.#catchUp()
    if (tools !== undefined) this.#setTools(tools, offersTools)
  }

  async #showReasoning(error: unknown, options: PrepareOptions): Promise<Prepared> {
    const wanted = reasoningRefusal(error)
    if (wanted === undefined) throw error
    const { composer, projection, warnings } = this.#parts
    const [first = this.#reasoning] = this.#refusedRules
    this.#refusedRules.add(this.#reasoning)
    if (this.#refusedRules.has(wanted)) {
      if (this.#reasoning !== first) {
        this.#reasoning = first
        projection.rebind()
      }
      throw error
    }
    await this.#resume(options)
    this.#reasoning = wanted
    composer.clear()
    projection.rebind()
    warnings.say({ code: 'reasoning-refused', message: REASONING_REFUSED[wanted] })
    return this.#composeAgain(options)
  }

  async #composeAgain(options: PrepareOptions): Promise<Prepared> {
    await this.#resume(options)
    const { signal } = options
    const composing = { limitTokens: this.#limit(), offersTools: this.#offersTools, signal }
    return this.#handOut(await this.#parts.composer.compose(composing), [], options)
  }

  #dropNative(): boolean {
    const { projection, warnings, composer } = this.#parts
    if (!projection.dropNative()) return false
    composer.clear()
    warnings.say({ code: 'native-compaction-left', message: NATIVE_LEFT })
    return true
  }

  updateModel(update: ModelUpdate): void {
    const { budget, composer, cache } = this.#parts
    budget.forget()
    composer.clear()
    if (update.model !== undefined && this.#modelName !== undefined && update.model !== this.#modelName)
      this.#dropNative()
    if (update.model !== undefined) this.#reasoning = reasoningRule(update.model)
    if (update.model !== undefined) cache.updateModel(update.model)
    this.#answered = 0
    this.#modelName = update.model ?? this.#modelName
    this.#setContextLength(update)
  }

  async reset(): Promise<void> {
    const { life, log, projection, compaction, warnings, composer } = this.#parts
    const { budget, cache, events } = this.#parts
    await this.#load()
    log.clear()
    const failures = await log.save()
    await life.reset()
    this.#answer = []
    this.#handedOut = NOTHING_HANDED_OUT
    this.#counted = 0
    this.#isBehind = false
    this.#isRecovered = false
    for (const part of [projection, compaction, warnings, composer]) part.clear()
    budget.forget()
    cache.reset()
    warnings.say(...failures)
    await this.#saveProjection()
    events.emit({ type: 'reset' })
  }

  async end(): Promise<void> {
    const { life, log, events, compaction } = this.#parts
    compaction.clear()
    try {
      // The host's next list would have the last answer, so the next process must find it in the store.
      if (log.messages.length > 0 && this.#answer.length > 0) log.append(this.#answer)
      await log.save()
      await life.end(log.messages)
    } finally {
      await this.#input.close()
      events.emit({ type: 'ended' })
    }
  }

  async append(messages: readonly Message[]): Promise<void> {
    const { log, warnings } = this.#parts
    await this.#load()
    log.append(messages)
    this.#isBehind = true
    this.#answer = []
    warnings.say(...(await log.save()))
  }

  async #load(): Promise<void> {
    if (this.#isLoaded) return
    this.#isLoaded = true
    const { log, projection, warnings } = this.#parts
    let saved: unknown = null
    try {
      saved = await (await log.open()).state(PROMPT_STATES.session)
    } catch (error) {
      warnings.say({ code: 'store-unavailable', message: `the store failed: ${errorText(error)}` })
    }
    const { length } = log.messages
    if (length === 0) return
    this.#isResumed = true
    const isRestored = saved !== null && this.#restoreFrom(saved)
    if (!isRestored) projection.follow({ from: length, taken: [], added: length })
    log.handOut(projection.messages.map(log.bare))
  }

  async #warnOfDamage(): Promise<void> {
    const { log, warnings } = this.#parts
    if (this.#input.open === undefined) return
    const damaged = await (async () => (await log.open()).damaged())().catch(() => [])
    const fresh = damaged.slice(this.#damageReported)
    this.#damageReported = damaged.length
    if (fresh.length > 0) warnings.say({ code: 'store-damaged', message: damageText(fresh) })
  }

  async #take(list: readonly Message[], isFrozen: boolean): Promise<void> {
    const { log, warnings } = this.#parts
    const taking = log.reconcile(list)
    const change = isFrozen ? await inSlices(taking) : atOnce(taking)
    this.#follow(change)
    if (this.#isResumed && change.taken.filter(isSpoken).length > 1) {
      const message = `${change.taken.length} stored messages are not in the history that the host began with, and count as replaced: a host has to begin with its whole history, or with the last request of its session`
      warnings.say({ code: 'history-replaced', message })
    }
    this.#isResumed = false
  }

  async #saveProjection(): Promise<void> {
    const { projection, log } = this.#parts
    const { base } = projection
    if (this.#input.open === undefined || base === this.#saved || log.unsaved > 0 || log.isDetached) return
    try {
      await (await log.open()).saveState(PROMPT_STATES.session, projection.toStored())
      this.#saved = base
    } catch {
      // Saving is retried with the next request. Without it, the next process starts from the full log.
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

  /** Applies appended messages late, because a call and its result may be appended separately. */
  #catchUp(): void {
    const { length } = this.#parts.log.messages
    if (this.#isBehind) this.#follow({ from: length, taken: [], added: 1 })
  }

  #follow(change: LogChange): void {
    const { projection, warnings, life, events } = this.#parts
    const dropped = change.taken.length
    this.#answer = []
    this.#isBehind = false
    for (const repair of projection.follow(change))
      warnings.say({ code: 'repaired-input', message: `the host's messages were repaired: ${repair}` })
    life.changedFrom(change.from)
    this.#counted = Math.min(this.#counted, change.from)
    if (dropped > 0) events.emit({ type: 'edited', from: change.from, dropped })
    if (dropped > 0 || change.added > 0 || change.system !== undefined) this.#isRecovered = false
  }

  #restoreFrom(kept: unknown): boolean {
    const { projection } = this.#parts
    try {
      projection.restore(kept)
      this.#saved = projection.base
      return true
    } catch (error) {
      const message = `what was kept of the last compaction does not fit the conversation, which begins with all that was said: ${errorText(error)}`
      this.#parts.warnings.say({ code: 'restored-ignored', message })
      return false
    }
  }

  #setTools(host: readonly ToolSchema[], offersTools = true): void {
    this.#offersTools = offersTools
    const { engine, guard, warnings, budget, cache } = this.#parts
    const own = offersTools ? engineTools(host, engine, guard, warnings) : []
    this.#tools = { host, own }
    budget.setTools([...host, ...own])
    cache.setTools([...host, ...own])
  }

  #limit(): number {
    const { maxOutputTokens } = this.#input
    const window = this.#contextLength
    return maxOutputTokens < window ? window - maxOutputTokens : window
  }

  #tooLong(cause: unknown, request: ComposedRequest, why: string): ContextOverflowError {
    const limit = this.#limit()
    const parts = this.#parts.composer.parts(request.messages)
    const largest = largestPart(parts)
    const message = overWindow(request.tokens, limit, parts, why)
    return new ContextOverflowError(request.tokens, limit, message, { cause, ...(largest && { largest }) })
  }

  #handOut(request: ComposedRequest, compactions: CompressResult[], options: PrepareOptions): Prepared {
    const { log, cache, budget, projection, warnings } = this.#parts
    this.#handedOut = request
    const messages = request.messages.map(log.bare)
    log.handOut(messages)
    const plan = cache.plan(messages, log.said[0], options)
    budget.sent(projection.messages, request.messages)
    projection.sent()
    const tools = [...this.#tools.host, ...this.#tools.own]
    this.#sentBefore = this.#sent
    this.#sent = { messages, tools, cache: plan, count: log.messages.length, edits: log.edits }
    const own = <T>(value: T): T => (options.frozen === true ? value : copyValue(value))
    return {
      tokens: request.tokens,
      messages: options.frozen === true ? messages : messages.map(copyValue),
      origins: projection.origins(request.messages),
      // A host marks its tools for the provider's cache; the engine's tools must not change with that.
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
