import {
  abortable,
  type ChatModel,
  type ChatResponse,
  type ContextSession,
  type Message,
  messageText,
  runTurn,
  type TurnRequest,
  type TurnSession,
} from '@palimpsest/core'
import type { PromptCache } from '../../prompt-cache.ts'
import type { ChatEvent, TurnEnd, TurnOptions } from '../chat-agent.ts'
import type { ChatRecord } from '../records/chat-record.ts'
import type { ChatTools } from '../tools/create-tools.ts'
import type { CostMeter } from './cost-meter.ts'
import { patiently } from './patiently.ts'
import { createCallRunner, STOPPED } from './run-calls.ts'
import { type TidyAnswer, tidyAnswer } from './tidy-answer.ts'

/** Milliseconds for an engine to note that a turn was stopped. */
const NOTE_LIMIT = 1_000

export interface ChatTurnInput {
  readonly session: ContextSession
  readonly model: ChatModel
  readonly system: Message
  /** Ends with what is to be answered. */
  readonly record: ChatRecord
  readonly tools: Pick<ChatTools, 'all' | 'waited'>
  readonly cache: PromptCache
  readonly meter: CostMeter
  /** Called with the tokens of each prompt, as soon as they are known better. */
  readonly onPrompt: (tokens: number) => void
}

/**
 * Asks the model until it answers in words, and runs the tools that it calls on the way. Whatever ends the turn, every
 * call that is on record has a result.
 *
 * @throws ModelError, ContextOverflowError, UsageError when the record cannot be written.
 */
export async function runChatTurn(input: ChatTurnInput, options: TurnOptions): Promise<TurnEnd> {
  const { session, record, tools, onPrompt } = input
  const { signal } = options
  const on = quietly(options.on)
  const unsubscribe = session.subscribe((event) => {
    if (event.type === 'compaction' && event.result.outcome !== 'unchanged')
      on({ type: 'compaction', trigger: event.trigger, result: event.result })
    if (event.type === 'warning') on({ type: 'warning', warning: event.warning })
  })
  const calls = createCallRunner({ session, tools, signal, on })
  /** Text that was shown and is not on record. */
  let said = ''

  const ask = async (request: TurnRequest): Promise<TidyAnswer> => {
    said = ''
    calls.offered = request.tools
    const response = await send(input, request, signal, (text) => {
      said += text
      on({ type: 'text', text })
    })
    const answer = tidyAnswer(response, record.messages.length)
    calls.unreadable = answer.unreadable
    const { usage } = response
    onPrompt(usage?.promptTokens ?? request.tokens)
    if (usage !== undefined) on({ type: 'usage', usage })
    return answer
  }

  try {
    const { end, answers } = await runTurn({
      session: { ...stoppable(session, signal), answerCall: calls.answerCall },
      messages: [input.system, ...record.messages],
      tools: tools.all.map(({ schema }) => schema),
      ask,
      runTool: calls.runTool,
      async onMessage(message) {
        await record.append(message)
        said = ''
      },
      signal,
    })
    if (end === 'too-many-rounds') return { reason: end, text: '' }
    const { message, finishReason } = answers.at(-1) ?? answers[0]
    return { reason: finishReason === 'length' ? 'cut-off' : 'answered', text: messageText(message) }
  } catch (error) {
    if (!signal.aborted) throw error
    await record.mend(STOPPED)
    return await keepStopped(input, said)
  } finally {
    unsubscribe()
  }
}

async function send(
  { model, cache, meter }: ChatTurnInput,
  request: TurnRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ChatResponse> {
  const { messages, tools } = cache.mark(request, request.cache)
  let isOpen = true
  try {
    // A model that ignores its signal must neither hold the caller nor go on speaking.
    const chat = model.chat({
      messages,
      cache: request.cache,
      signal,
      onText: (text) => {
        if (isOpen && !signal.aborted) onText(text)
      },
      ...(tools.length > 0 && { tools }),
    })
    const response = await abortable(chat, signal)
    meter.note(model.name, response?.usage)
    return response
  } catch (error) {
    // A stopped request is paid for, too.
    if (signal.aborted) meter.note(model.name, undefined)
    throw error
  } finally {
    isOpen = false
  }
}

/** The session for a turn that can be stopped: an answer that is on record stays said, however long the engine takes. */
function stoppable(session: ContextSession, signal: AbortSignal): TurnSession {
  return {
    ...session,
    observe: (response) =>
      abortable(session.observe(response), signal).catch((error) => {
        if (!signal.aborted) throw error
      }),
  }
}

/** Keeps what was said until the stop: it was shown. */
async function keepStopped({ session, record }: ChatTurnInput, text: string): Promise<TurnEnd> {
  const message = text.trim() === '' ? undefined : ({ role: 'assistant', content: text } as const)
  if (message !== undefined) await record.append(message)
  await patiently(session.observe({ message, interrupted: true }), NOTE_LIMIT)
  return { reason: 'stopped', text }
}

/** An error of a listener does not end the turn. */
function quietly(on: TurnOptions['on']): TurnOptions['on'] {
  return (event: ChatEvent) => {
    try {
      on(event)
    } catch {}
  }
}
