import {
  type AssistantMessage,
  abortable,
  type ChatModel,
  type ChatResponse,
  type ContextSession,
  type Message,
  type Prepared,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Usage,
  type Warning,
} from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'

interface AnswerInput {
  readonly session: ContextSession
  readonly model: ChatModel
  /** The system prompt, the conversation so far, and the user's message. */
  readonly messages: readonly Message[]
  readonly signal: AbortSignal
}

/** An answer that nobody was told yet. */
export interface Answered {
  readonly answer: AssistantMessage
  /** Calls of the engine's tools and their results, before the answer. */
  readonly steps: readonly Message[]
  /** What the last request of the turn was. */
  readonly prepared: Prepared
  /** Of each request of the turn, where it was reported. */
  readonly usages: readonly Usage[]
  readonly compactions: number
  readonly warnings: readonly Warning[]
}

/**
 * Asks the model until it answers in words, and runs the engine's tools that it calls on the way. Stores nothing.
 *
 * @throws ModelError, ContextOverflowError; `signal.reason` on abort; ServiceFault 502 when no words come.
 */
export async function answerTurn({ session, model, messages, signal }: AnswerInput): Promise<Answered> {
  const steps: Message[] = []
  const usages: Usage[] = []
  const warnings: Warning[] = []
  let compactions = 0

  for (let round = 0; ; round++) {
    const first = await session.prepare([...messages, ...steps], { signal })
    const mayCall = round < SERVE_DEFAULTS.toolRounds
    const { prepared, response } = await ask(session, model, first, mayCall, signal)
    compactions += prepared.compactions.filter(({ outcome }) => outcome === 'compacted').length
    warnings.push(...prepared.warnings)
    const { message, usage } = response
    if (usage !== undefined) usages.push(usage)
    const calls = toolCallsOf(message)
    if (calls.length === 0) return { answer: message, steps, prepared, usages, compactions, warnings }
    if (!mayCall)
      throw new ServiceFault(502, 'no-answer', 'the model called tools again and again and gave no answer')
    steps.push(message)
    await session.observe({ message, ...(usage !== undefined && { usage }) })
    for (const call of calls) {
      const content = await session.callTool(toolCallName(call), parseArguments(toolCallInput(call)), {
        signal,
      })
      steps.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

/** One request; a second, smaller one when the provider says that the first was too long. */
async function ask(
  session: ContextSession,
  model: ChatModel,
  prepared: Prepared,
  mayCall: boolean,
  signal: AbortSignal,
): Promise<{ readonly prepared: Prepared; readonly response: ChatResponse }> {
  const send = ({ messages, tools }: Prepared) =>
    // A model that does not listen to its signal must not hold the caller.
    abortable(model.chat({ messages, signal, ...(mayCall && tools.length > 0 && { tools }) }), signal)
  try {
    return { prepared, response: await send(prepared) }
  } catch (error) {
    signal.throwIfAborted()
    const smaller = await session.recover(error, { signal })
    return { prepared: smaller, response: await send(smaller) }
  }
}

/** An engine says itself what is wrong with arguments that are no JSON. */
function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    return text
  }
}
