import { countMessages } from '../budget/count-messages.ts'
import { needsHygiene } from '../budget/hygiene.ts'
import { normalizeUsage } from '../budget/normalize-usage.ts'
import { estimatePrompt, type PromptEstimate, type UsageAnchor } from '../budget/prompt-estimate.ts'
import { ContextOverflowError } from '../errors/context-overflow-error.ts'
import { checkProjection } from '../laws/check-projection.ts'
import { copyValue, freezeMessage } from '../messages/copy-message.ts'
import { toolCallsOf } from '../messages/message-text.ts'
import type { CompressCall } from '../spec/compress-call.ts'
import type { CompressResult } from '../spec/compress-result.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { ToolSchema } from '../spec/tool-schema.ts'
import type { Warning } from '../spec/warning.ts'
import { abortable } from './abortable.ts'
import { compactProjection } from './compact-projection.ts'
import { contextOverflow } from './context-overflow.ts'
import type { ObservedResponse, Prepared, PrepareOptions } from './context-session.ts'
import type { CompactionTrigger, SessionEvent, SessionListener } from './session-events.ts'
import { composeProjection, type ProjectionBase, rebaseSystem } from './session-projection.ts'
import { createTranscriptLedger } from './transcript-ledger.ts'

/** Compactions for one request at most. */
const MAX_PASSES = 3
/** A further pass must have left less than this share of the tokens: 5 % less is no progress. */
const PROGRESS_SHARE = 0.95
/** Share of the threshold that is the target after a provider refused the prompt. */
const OVERFLOW_TARGET_SHARE = 0.5

interface SessionCoreInput {
  readonly engine: ContextEngineV1
  readonly tokens: TokenCounter
  readonly contextLength: number
  readonly enabled: boolean
}

/** The state of a session and its steps; `createContextSession` adds the queue and the life cycle. */
export function createSessionCore({
  engine,
  tokens,
  contextLength: initialLength,
  enabled,
}: SessionCoreInput) {
  const ledger = createTranscriptLedger()
  const listeners = new Set<SessionListener>()
  let contextLength = initialLength
  let base: ProjectionBase | undefined
  let anchor: UsageAnchor | undefined
  let projection: readonly Message[] = []
  let sent: readonly Message[] = []
  let tools: readonly ToolSchema[] = []
  let recoveredAt = -1
  let warned = new Set<string>()

  const emit = (event: SessionEvent): void => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch {
        // A listener is the host's; its faults are not the session's.
      }
    }
  }

  /** Emits each warning once until something changes, so that a condition that lasts is not said every turn. */
  const warn = (warnings: readonly Warning[]): Warning[] => {
    const fresh = warnings.filter(({ code, message }) => !warned.has(`${code}\n${message}`))
    for (const warning of fresh) {
      warned.add(`${warning.code}\n${warning.message}`)
      emit({ type: 'warning', warning })
    }
    return fresh
  }

  const estimate = (): PromptEstimate => estimatePrompt({ messages: projection, tools, tokens, anchor })

  const refreshProjection = (): Warning[] => {
    const { messages, repairs } = composeProjection(ledger.messages, base)
    projection = messages
    return repairs.map((text) => ({
      code: 'repaired-input',
      message: `the host's messages were repaired: ${text}`,
    }))
  }

  const ingest = async (messages: readonly Message[]): Promise<void> => {
    const [oldSystem] = ledger.messages
    const { appended, from, dropped, systemChanged } = ledger.reconcile(messages, sent)
    if (dropped > 0) {
      emit({ type: 'edited', from, dropped })
      // A summary of messages that the host took back must not speak for it any longer.
      if (base !== undefined && from < base.covered) base = undefined
    }
    const [newSystem] = ledger.messages
    if (systemChanged && base !== undefined && oldSystem !== undefined && newSystem !== undefined) {
      base = rebaseSystem(base, oldSystem, newSystem)
    }
    if (appended.length === 0) return
    await engine.ingest({ messages: appended, from })
    emit({ type: 'ingested', count: appended.length, from })
  }

  const compactOnce = async (
    trigger: CompactionTrigger,
    call: Omit<CompressCall, 'messages' | 'currentTokens'>,
  ) => {
    const before = estimate()
    const compacted = await compactProjection({
      engine,
      tokens,
      transcript: ledger.messages,
      projection,
      estimate: before,
      call,
    })
    const { result, messages, violations } = compacted
    const warnings = [...result.warnings]
    if (violations.length > 0) {
      emit({ type: 'violations', violations })
      const [first] = violations
      warnings.push({
        code: 'law-violation',
        message: `a compaction by "${engine.name}" broke law ${first?.law} (${first?.code}: ${first?.message}) and was not used`,
      })
    }
    if (messages !== undefined) {
      base = { messages, covered: ledger.messages.length }
      projection = messages
      anchor = undefined
      warned = new Set()
      await engine.onCompactionBoundary({ result, transcriptLength: ledger.messages.length })
    }
    emit({ type: 'compaction', trigger, result, estimate: before, committed: messages !== undefined })
    return { result, committed: messages !== undefined, warnings: warn(warnings) }
  }

  const dueTrigger = (now: PromptEstimate): CompactionTrigger | undefined => {
    const hygiene = needsHygiene({
      contextLength,
      messageCount: projection.length,
      estimatedTokens: now.tokens,
    })
    if (hygiene) return 'hygiene'
    if (engine.shouldCompress({ promptTokens: now.tokens })) return 'threshold'
    return engine.shouldCompressPreflight(projection) ? 'preflight' : undefined
  }

  const compactWhileDue = async (signal: AbortSignal | undefined) => {
    const results: CompressResult[] = []
    const warnings: Warning[] = []
    for (let pass = 0; enabled && pass < MAX_PASSES; pass++) {
      const before = estimate()
      const trigger = dueTrigger(before)
      if (trigger === undefined) break
      const step = await compactOnce(trigger, signal === undefined ? {} : { signal })
      results.push(step.result)
      warnings.push(...step.warnings)
      if (!step.committed || estimate().tokens > before.tokens * PROGRESS_SHARE) break
    }
    return { results, warnings }
  }

  const select = async (
    signal: AbortSignal | undefined,
  ): Promise<{ request: readonly Message[]; warnings: Warning[] }> => {
    const budgetTokens = Math.max(0, contextLength - tokens.countTools(tools))
    let selected: readonly Message[] | null = null
    try {
      selected = await abortable(
        engine.selectContext({ messages: projection, budgetTokens, ...(signal && { signal }) }),
        signal,
      )
    } catch (error) {
      signal?.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      return {
        request: projection,
        warnings: warn([
          { code: 'select-failed', message: `selectContext failed and was ignored: ${reason}` },
        ]),
      }
    }
    if (!Array.isArray(selected) || selected.length === 0) return { request: projection, warnings: [] }
    const violations = checkProjection(selected, ledger.messages, { before: projection })
    if (violations.length === 0) return { request: selected, warnings: [] }
    emit({ type: 'violations', violations })
    const message = `selectContext of "${engine.name}" broke a law (${violations[0]?.code}) and was ignored`
    return { request: projection, warnings: warn([{ code: 'law-violation', message }]) }
  }

  const finish = async (
    results: CompressResult[],
    warnings: Warning[],
    signal: AbortSignal | undefined,
  ): Promise<Prepared> => {
    const { request, warnings: more } = await select(signal)
    sent = request.map((message) => freezeMessage(copyValue(message)))
    return {
      messages: request.map(copyValue),
      tools: [...tools],
      tokens:
        estimate().tokens +
        (request === projection ? 0 : countMessages(tokens, request) - countMessages(tokens, projection)),
      compactions: results,
      warnings: [...warnings, ...more],
    }
  }

  return {
    emit,
    get transcript() {
      return ledger.messages
    },

    async prepare(messages: readonly Message[], options: PrepareOptions): Promise<Prepared> {
      tools = [...(options.tools ?? []), ...engine.toolSchemas()]
      await ingest(messages)
      const repairs = warn(refreshProjection())
      const { results, warnings } = await compactWhileDue(options.signal)
      return finish(results, [...repairs, ...warnings], options.signal)
    },

    async observe({ message, usage, interrupted = false }: ObservedResponse): Promise<void> {
      const reported = usage ? normalizeUsage(usage) : null
      if (reported !== null) {
        engine.updateFromResponse(reported)
        emit({ type: 'usage', usage: reported })
        if (reported.promptTokens > 0 && sent.length > 0) {
          const counted = countMessages(tokens, sent) + tokens.countTools(tools)
          tokens.calibration?.observe(counted, reported.promptTokens)
          // What was placed for this request only is not part of the next one.
          const placed = countMessages(tokens, sent) - countMessages(tokens, projection)
          anchor = { messages: projection, promptTokens: Math.max(0, reported.promptTokens - placed) }
        }
      }
      const answered = message === undefined ? [] : [freezeMessage(copyValue(message))]
      if (interrupted || (answered[0] !== undefined && toolCallsOf(answered[0]).length === 0)) {
        await engine.onTurnComplete({
          messages: [...ledger.messages, ...answered],
          usage: reported,
          interrupted,
        })
      }
    },

    async compact({
      focusTopic,
      signal,
    }: {
      focusTopic?: string
      signal?: AbortSignal
    }): Promise<CompressResult> {
      const call = {
        force: true,
        ...(focusTopic !== undefined && { focusTopic }),
        ...(signal !== undefined && { signal }),
      }
      const { result } = await compactOnce('manual', call)
      return result
    },

    async recover(error: unknown, { signal, tools: hostTools }: PrepareOptions): Promise<Prepared> {
      const overflow = contextOverflow(error)
      if (overflow === undefined) throw error
      if (hostTools !== undefined) tools = [...hostTools, ...engine.toolSchemas()]
      const before = estimate().tokens
      if (overflow.limit !== undefined && overflow.limit < contextLength) {
        contextLength = overflow.limit
        engine.updateModel({ contextLength })
      }
      if (recoveredAt === ledger.messages.length)
        throw tooLong(before, 'it was compacted for this request before', error)
      recoveredAt = ledger.messages.length
      const targetTokens = Math.floor(engine.thresholdTokens * OVERFLOW_TARGET_SHARE)
      const step = await compactOnce('overflow', {
        force: true,
        targetTokens,
        ...(signal !== undefined && { signal }),
      })
      if (!step.committed)
        throw tooLong(before, `compacting harder gave: ${step.result.outcome}, ${step.result.reason}`, error)
      return finish([step.result], step.warnings, signal)
    },

    async reset(): Promise<void> {
      await engine.onSessionReset()
      ledger.clear()
      base = undefined
      anchor = undefined
      projection = []
      sent = []
      recoveredAt = -1
      warned = new Set()
      emit({ type: 'reset' })
    },

    subscribe(listener: SessionListener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }

  function tooLong(promptTokens: number, why: string, cause: unknown): ContextOverflowError {
    return new ContextOverflowError(
      promptTokens,
      contextLength,
      `the prompt of about ${promptTokens} tokens does not fit into ${contextLength}, and ${why}; shorten the last message or the system prompt, or use a model with a larger window`,
      { cause },
    )
  }
}
