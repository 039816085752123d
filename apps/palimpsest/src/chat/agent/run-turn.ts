import {
  type AssistantMessage,
  abortable,
  type ChatModel,
  type ChatResponse,
  type ContextSession,
  type FinishReason,
  type Message,
  ModelError,
  messageText,
  repairMessages,
  runTurn,
  type ToolCall,
  type TurnRequest,
  type TurnSession,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { PromptCache } from '../../prompt-cache.ts'
import type { ChatEvent, TurnEnd, TurnOptions } from '../chat-agent.ts'
import type { ChatRecord } from '../records/chat-record.ts'
import type { ChatTools } from '../tools/create-tools.ts'
import type { CostMeter } from './cost-meter.ts'
import { patiently } from './patiently.ts'
import { createCallRunner, STOPPED } from './run-calls.ts'

/** The end of a turn whose last answer did not come to its end. */
const REASONS: Partial<Record<FinishReason, TurnEnd['reason']>> = {
  length: 'cut-off',
  'content-filter': 'filtered',
}

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
    await record.noteProjection(session.stored)
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
    return { reason: REASONS[finishReason] ?? 'answered', text: messageText(message) }
  } catch (error) {
    if (!signal.aborted) {
      await keepSaid(input, said)
      throw error
    }
    await record.mend(STOPPED)
    await keepSaid(input, said)
    return { reason: 'stopped', text: said }
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
    prepare: session.prepare,
    recover: session.recover,
    answerCall: session.answerCall,
    observe: (response) =>
      abortable(session.observe(response), signal).catch((error) => {
        if (!signal.aborted) throw error
      }),
  }
}

/** Keeps what was said until a stop or a failure: it was shown. */
async function keepSaid({ session, record }: ChatTurnInput, text: string): Promise<void> {
  const message = text.trim() === '' ? undefined : ({ role: 'assistant', content: text } as const)
  if (message !== undefined) await record.append(message)
  await patiently(session.observe({ message, interrupted: true }), NOTE_LIMIT)
}

/** An error of a listener does not end the turn. */
function quietly(on: TurnOptions['on']): TurnOptions['on'] {
  return (event: ChatEvent) => {
    try {
      on(event)
    } catch {}
  }
}

/** An answer that may stand in a history. */
interface TidyAnswer extends Omit<ChatResponse, 'message'> {
  readonly message: AssistantMessage
  /** Ids of calls whose arguments are no JSON. */
  readonly unreadable: ReadonlySet<string>
}

/** Providers take no other name of a tool, and refuse a history with one for ever. */
const NAME_CHARACTERS = 64

/**
 * Makes a model's answer one that every provider takes in a history: each call has an id of its own and a name,
 * arguments that parse, content of the right type.
 *
 * @param turn a number that no other answer of the conversation has, for ids.
 * @throws ModelError when there is neither text nor a call.
 */
function tidyAnswer(response: ChatResponse, turn: number): TidyAnswer {
  const { message, finishReason } = response
  const taken = new Set<string>()
  const calls = toolCallsOf(message).map((call, index) =>
    named(call, freeId(call.id, `call_${turn}_${index}`, taken)),
  )
  const unreadable = new Set(calls.filter((call) => !isJsonOrBlank(toolCallInput(call))).map(({ id }) => id))
  const { tool_calls: _, ...rest } = message ?? {}
  const whole = calls.length === 0 ? rest : { ...rest, tool_calls: calls }
  const [tidy] = repairMessages([{ ...whole, role: 'assistant' }], { inFlight: true }).messages
  const isEmpty = tidy?.role !== 'assistant' || (calls.length === 0 && messageText(tidy).trim() === '')
  if (!isEmpty) return { ...response, message: tidy, unreadable }
  if (finishReason === 'content-filter') throw new ModelError('blocked', 'the provider blocked the answer')
  throw new ModelError('empty', 'the model gave no answer; try again')
}

/** The id, unless another call of the answer has it. */
function freeId(id: unknown, fallback: string, taken: Set<string>): string {
  const free = typeof id === 'string' && id !== '' && !taken.has(id) ? id : fallback
  taken.add(free)
  return free
}

function named(call: ToolCall, id: string): ToolCall {
  const name =
    toolCallName(call)
      .replace(/[^\w-]/g, '_')
      .slice(0, NAME_CHARACTERS) || 'unnamed'
  if (call.type === 'custom') return { ...call, id, custom: { ...call.custom, name } }
  return { ...call, id, type: 'function', function: { ...call.function, name } }
}

function isJsonOrBlank(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
