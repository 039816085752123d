import { countMessages } from '../budget/count-messages.ts'
import { checkProjection } from '../laws/check-projection.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { adviceFor, largestPart, namePart, type PromptParts, toPart } from './name-part.ts'
import { originsOf, type TracedMessages } from './origins.ts'
import type { PromptBudget } from './prompt-budget.ts'
import type { SessionProjection } from './session-projection.ts'
import type { EngineGuard, EventHub, WarningLog } from './session-reports.ts'
import type { TranscriptLedger } from './transcript-ledger.ts'
import { createWindowFit } from './window-fit.ts'

interface ComposerInput {
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly guard: EngineGuard
  readonly events: EventHub
  readonly warnings: WarningLog
  readonly ledger: TranscriptLedger
  readonly projection: SessionProjection
  readonly budget: PromptBudget
}

interface ComposeCall {
  readonly limitTokens: number
  /** Above this size long texts are cut; infinite when they are not to be. Default: `limitTokens`. */
  readonly cutAboveTokens?: number
  /** Cut as far as possible, even if it is not enough. Default false: a prompt that cannot fit stays whole. */
  readonly evenPartly?: boolean
  readonly signal: AbortSignal | undefined
}

export interface ComposedRequest extends TracedMessages {
  readonly tokens: number
}

const NAMED = 3

/** Makes a request of the projection: cut to the window where an engine left it too large, then placed by the engine. */
export function createRequestComposer(input: ComposerInput) {
  const { ledger, projection, budget, tokens, warnings } = input
  const windowFit = createWindowFit(tokens)
  const parts = (request: TracedMessages): PromptParts => ({
    request,
    transcript: ledger.messages,
    tokens,
    toolTokens: budget.toolTokens,
  })

  const warnOfCut = (cut: readonly number[], limitTokens: number): void => {
    const named = cut
      .slice(0, NAMED)
      .flatMap((place) => toPart(place, parts(projection)) ?? [])
      .map(namePart)
    const more = cut.length > NAMED ? [`and ${cut.length - NAMED} more`] : []
    warnings.say({
      code: 'cut-to-window',
      message: `the prompt would not fit into ${limitTokens} tokens, so the middle of long texts is left out of it (the transcript has them whole): ${[...named, ...more].join('; ')}`,
    })
  }

  return {
    /** The parts of a request, to be named in warnings. */
    parts,
    async compose(call: ComposeCall): Promise<ComposedRequest> {
      const { limitTokens, cutAboveTokens = limitTokens, evenPartly = false, signal } = call
      const measured = budget.measure(projection.messages)
      const { cut, ...fitted } = windowFit.fit({
        projection: { messages: projection.messages, origins: projection.origins },
        transcript: ledger.messages,
        fits: measured.tokens <= cutAboveTokens,
        roomTokens: measured.roomFor(cutAboveTokens),
        evenPartly,
      })
      if (cut.length > 0) warnOfCut(cut, cutAboveTokens)
      const request = await selectRequest(input, {
        fitted,
        budgetTokens: measured.roomFor(limitTokens),
        signal,
        fits: (selected) => measured.sizeOf(selected) <= limitTokens,
      })
      return { ...request, tokens: measured.sizeOf(request.messages) }
    },
    /** Another conversation or another model: what was cut is shown whole again. */
    clear: windowFit.clear,
  }
}

interface SelectInput {
  readonly fitted: TracedMessages
  readonly budgetTokens: number
  readonly signal: AbortSignal | undefined
  readonly fits: (selected: readonly Message[]) => boolean
}

/** The engine's placement for this request, if it obeys the laws and fits, else the messages themselves. Frozen. */
async function selectRequest(
  { engine, tokens, guard, events, warnings, ledger: { messages: transcript } }: ComposerInput,
  { fitted, budgetTokens, signal, fits }: SelectInput,
): Promise<TracedMessages> {
  const select = async (): Promise<TracedMessages | null> => {
    const selected = await engine.selectContext({ ...fitted, budgetTokens, ...(signal && { signal }) })
    if (selected === null || selected.messages === fitted.messages) return null
    const messages = Object.freeze(Array.from(selected.messages, (message) => snapshotMessage(message)))
    if (messages.length === 0) return null
    const read = { engineName: engine.name, guard, transcript, before: fitted, after: messages }
    return { messages, origins: originsOf({ ...read, told: selected.origins }) }
  }
  const selected = await guard.callAsync('selectContext', null, select, signal)
  if (selected === null) return fitted
  const violations = checkProjection(selected.messages, transcript, { before: fitted.messages })
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const fault = `${first.code} at message ${first.index}: ${first.message}`
    const message = `selectContext of "${engine.name}" broke law ${first.law} (${fault}) and was ignored`
    warnings.say({ code: 'law-violation', message })
    return fitted
  }
  const size = (messages: readonly Message[]): number => countMessages(tokens, messages)
  if (fits(selected.messages) || size(selected.messages) <= size(fitted.messages)) return selected
  warnings.say({
    code: 'selection-too-large',
    message: `selectContext of "${engine.name}" returned more than the ${budgetTokens} tokens that fit, and was ignored`,
  })
  return fitted
}

/** Why a prompt cannot be sent and what helps, as one sentence. */
export function overWindow(size: number, limitTokens: number, parts: PromptParts, why?: string): string {
  const found =
    size > limitTokens
      ? `does not fit into ${limitTokens}`
      : `was refused as too long, although ${limitTokens} should fit`
  return `the prompt of about ${size} tokens ${found}${why === undefined ? '' : `, and ${why}`}; ${adviceFor(largestPart(parts))}`
}
