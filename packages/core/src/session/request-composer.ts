import { countMessages } from '../budget/count-tokens.ts'
import type { PromptPart } from '../errors/errors.ts'
import { checkProjection } from '../invariants/check-projection.ts'
import { findLastUser } from '../messages/instructions.ts'
import { snapshotMessage } from '../messages/json-value.ts'
import { toolCallName, toolCallsOf } from '../messages/message-parts.ts'
import type { ContextEngine, Message, TokenCounter } from '../spec/v1/index.ts'
import type { SessionLog } from './conversation-log.ts'
import type { PromptBudget } from './prompt-budget.ts'
import type { SessionProjection } from './session-projection.ts'
import type { EngineGuard, EventHub, WarningLog } from './session-reports.ts'
import { createWindowFit } from './window-fit.ts'

export interface SessionParts {
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly guard: EngineGuard
  readonly events: EventHub
  readonly warnings: WarningLog
  readonly log: SessionLog
  readonly projection: SessionProjection
  readonly budget: PromptBudget
}

interface ComposeCall {
  readonly limitTokens: number
  /** Long texts are cut above this size; infinite to cut nothing. Default: `limitTokens`. */
  readonly cutAboveTokens?: number
  readonly evenPartly?: boolean
  readonly offersTools: boolean
  readonly signal: AbortSignal | undefined
}

export interface ComposedRequest {
  readonly messages: readonly Message[]
  readonly tokens: number
}

const NAMED = 3

export function createRequestComposer(session: SessionParts, isBound: () => boolean) {
  const { log, projection, budget, tokens, warnings } = session
  const windowFit = createWindowFit(tokens, isBound)
  const parts = (request: readonly Message[]): PromptParts => ({
    request,
    log,
    tokens,
    toolTokens: budget.toolTokens,
  })

  return {
    parts,
    async compose(call: ComposeCall): Promise<ComposedRequest> {
      const { limitTokens, cutAboveTokens = limitTokens, evenPartly = false, offersTools, signal } = call
      const measured = budget.measure(projection.messages)
      const { cut, messages: fitted } = windowFit.fit({
        projection: projection.messages,
        transcript: log.messages,
        fits: measured.tokens <= cutAboveTokens,
        roomTokens: measured.roomFor(cutAboveTokens),
        evenPartly,
      })
      if (cut.length > 0) {
        const shown = cut.slice(0, NAMED).flatMap((place) => toPart(place, parts(projection.messages)) ?? [])
        const more = cut.length > NAMED ? [`and ${cut.length - NAMED} more`] : []
        const named = [...shown.map(namePart), ...more].join('; ')
        const message = `the prompt would not fit into ${cutAboveTokens} tokens, so the middle of long texts is left out of it (the transcript has them whole): ${named}`
        warnings.say({ code: 'cut-to-window', message })
      }
      const budgetTokens = measured.roomFor(limitTokens)
      const fits = (selected: readonly Message[]) => measured.sizeOf(selected) <= limitTokens
      const messages = await selectRequest(session, { fitted, budgetTokens, offersTools, signal, fits })
      return { messages, tokens: measured.sizeOf(messages) }
    },
    clear: windowFit.clear,
  }
}

interface SelectInput {
  readonly fitted: readonly Message[]
  readonly budgetTokens: number
  readonly offersTools: boolean
  readonly signal: AbortSignal | undefined
  readonly fits: (selected: readonly Message[]) => boolean
}

async function selectRequest(
  { engine, tokens, guard, events, warnings, log: { messages: transcript } }: SessionParts,
  { fitted, budgetTokens, offersTools, signal, fits }: SelectInput,
): Promise<readonly Message[]> {
  const select = async (): Promise<readonly Message[] | null> => {
    const call = { messages: fitted, budgetTokens, offersTools, ...(signal && { signal }) }
    const selected = await engine.selectContext(call)
    if (selected === null || selected.messages === fitted) return null
    const messages = Object.freeze(Array.from(selected.messages, (message) => snapshotMessage(message)))
    return messages.length === 0 ? null : messages
  }
  const selected = await guard.callAsync('selectContext', null, select, signal)
  if (selected === null) return fitted
  const violations = checkProjection(selected, transcript, { before: fitted })
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const fault = `${first.code} at message ${first.index}: ${first.message}`
    const message = `selectContext of "${engine.name}" broke invariant ${first.invariant} (${fault}) and was ignored`
    warnings.say({ code: 'invariant-violation', message })
    return fitted
  }
  const size = (messages: readonly Message[]): number => countMessages(tokens, messages)
  if (fits(selected) || size(selected) <= size(fitted)) return selected
  const message = `selectContext of "${engine.name}" returned more than the ${budgetTokens} tokens that fit, and was ignored`
  warnings.say({ code: 'selection-too-large', message })
  return fitted
}

interface PromptParts {
  readonly request: readonly Message[]
  readonly log: SessionLog
  readonly tokens: TokenCounter
  readonly toolTokens: number
}

export function largestPart(parts: PromptParts): PromptPart | undefined {
  const { request, tokens, toolTokens } = parts
  const sizes = request.map((message) => tokens.countMessage(message))
  const size = Math.max(0, ...sizes)
  return toolTokens > size ? { kind: 'tools', tokens: toolTokens } : toPart(sizes.indexOf(size), parts)
}

function toPart(place: number, { request, log, tokens }: PromptParts): PromptPart | undefined {
  const message = request[place]
  if (message === undefined) return undefined
  const index = log.indexOf(message)
  const calls =
    message.role === 'tool'
      ? request.flatMap(toolCallsOf).filter(({ id }) => id === message.tool_call_id)
      : toolCallsOf(message)
  const call = message.role === 'tool' || calls.length === 1 ? calls.at(-1) : undefined
  return {
    kind: 'message',
    tokens: tokens.countMessage(message),
    role: message.role,
    isLastUser: index !== -1 && index === findLastUser(log.messages),
    ...(index !== -1 && { index }),
    ...(call && { toolName: toolCallName(call), toolCallId: call.id }),
  }
}

function namePart({ kind, index, role, toolName, toolCallId, isLastUser }: PromptPart): string {
  if (kind === 'tools') return 'the tools'
  if (index === undefined) return 'a message that the engine wrote'
  const call = toolCallId === undefined ? '' : ` of ${toolName || 'a tool'} (${toolCallId})`
  const own = isLastUser ? 'the last message of the user' : 'a message of the user'
  const kinds: Readonly<Record<string, string>> = {
    tool: `the result${call}`,
    assistant: call === '' ? 'an answer' : `a call${call}`,
    user: own,
  }
  return `messages[${index}], ${kinds[role ?? ''] ?? 'the system prompt'}`
}

export function overWindow(size: number, limitTokens: number, parts: PromptParts, why?: string): string {
  const found =
    size > limitTokens
      ? `does not fit into ${limitTokens}`
      : `was refused as too long, although ${limitTokens} should fit`
  const part = largestPart(parts)
  const named =
    part && `its largest part is ${namePart(part)}, with ${part.tokens} tokens: ${remedy(part)}, or `
  return `the prompt of about ${size} tokens ${found}${why === undefined ? '' : `, and ${why}`}; ${named ?? ''}use a model with a larger window`
}

function remedy({ kind, role, index, isLastUser }: PromptPart): string {
  if (kind === 'tools') return 'offer fewer of them or describe them shorter'
  if (isLastUser) return 'shorten it or split it, because it is sent as it is'
  if (role === 'system' || role === 'developer') return 'shorten it, because it is sent as it is'
  return index === undefined ? 'begin a new conversation' : 'shorten it, begin a new conversation'
}
