import { countMessages } from '../budget/count-messages.ts'
import { checkProjection } from '../laws/check-projection.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import type { ContextEngineV1, SelectCall } from '../spec/context-engine.ts'
import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import type { EngineGuard } from './engine-guard.ts'
import type { EventHub } from './event-hub.ts'
import type { WarningLog } from './warning-log.ts'

interface SelectInput {
  readonly engine: ContextEngineV1
  readonly tokens: TokenCounter
  readonly guard: EngineGuard
  readonly events: EventHub
  readonly warnings: WarningLog
  readonly transcript: readonly Message[]
  readonly call: SelectCall
}

/**
 * What to send: the engine's placement for this request, if there is one that obeys the laws and fits, else the
 * projection itself. Frozen.
 */
export async function selectRequest(input: SelectInput): Promise<readonly Message[]> {
  const { engine, tokens, guard, events, warnings, transcript, call } = input
  const { messages: projection, budgetTokens, signal } = call
  const select = async (): Promise<readonly Message[] | null> => {
    const selected = await engine.selectContext(call)
    if (!Array.isArray(selected) || selected.length === 0 || selected === projection) return null
    return Object.freeze(Array.from(selected as Message[], (message) => snapshotMessage(message)))
  }
  const selected = await guard.callAsync('selectContext', null, select, signal)
  if (selected === null) return projection
  const violations = checkProjection(selected, transcript, { before: projection })
  const [first] = violations
  if (first !== undefined) {
    events.emit({ type: 'violations', violations })
    const fault = `${first.code} at message ${first.index}: ${first.message}`
    const message = `selectContext of "${engine.name}" broke law ${first.law} (${fault}) and was ignored`
    warnings.say({ code: 'law-violation', message })
    return projection
  }
  if (countMessages(tokens, selected) <= Math.max(budgetTokens, countMessages(tokens, projection)))
    return selected
  warnings.say({
    code: 'selection-too-large',
    message: `selectContext of "${engine.name}" returned more than the ${budgetTokens} tokens that fit, and was ignored`,
  })
  return projection
}
