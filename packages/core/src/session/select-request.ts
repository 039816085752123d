import { countMessages } from '../budget/count-messages.ts'
import { checkProjection } from '../laws/check-projection.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { EventHub } from './event-hub.ts'
import { originsOf } from './read-origins.ts'
import type { TracedMessages } from './trace-origins.ts'
import type { WarningLog } from './warning-log.ts'

export interface SelectInput {
  readonly engine: ContextEngine
  readonly tokens: TokenCounter
  readonly guard: EngineGuard
  readonly events: EventHub
  readonly warnings: WarningLog
  readonly transcript: readonly Message[]
  readonly projection: TracedMessages
  readonly budgetTokens: number
  readonly signal: AbortSignal | undefined
  readonly fits: (selected: readonly Message[]) => boolean
}

/** The engine's placement for this request, if it obeys the laws and fits, else the projection itself. Frozen. */
export async function selectRequest(input: SelectInput): Promise<TracedMessages> {
  const { engine, tokens, guard, events, warnings, transcript, projection, budgetTokens, signal, fits } =
    input
  const select = async (): Promise<TracedMessages | null> => {
    const selected = await engine.selectContext({ ...projection, budgetTokens, ...(signal && { signal }) })
    if (selected === null || selected.messages === projection.messages) return null
    const messages = Object.freeze(Array.from(selected.messages, (message) => snapshotMessage(message)))
    if (messages.length === 0) return null
    const read = { engineName: engine.name, guard, transcript, before: projection, after: messages }
    return { messages, origins: await originsOf({ ...read, told: selected.origins }) }
  }
  const selected = await guard.callAsync('selectContext', null, select, signal)
  if (selected === null) return projection
  const violations = checkProjection(selected.messages, transcript, { before: projection.messages })
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const fault = `${first.code} at message ${first.index}: ${first.message}`
    const message = `selectContext of "${engine.name}" broke law ${first.law} (${fault}) and was ignored`
    warnings.say({ code: 'law-violation', message })
    return projection
  }
  const size = (messages: readonly Message[]): number => countMessages(tokens, messages)
  if (fits(selected.messages) || size(selected.messages) <= size(projection.messages)) return selected
  warnings.say({
    code: 'selection-too-large',
    message: `selectContext of "${engine.name}" returned more than the ${budgetTokens} tokens that fit, and was ignored`,
  })
  return projection
}
