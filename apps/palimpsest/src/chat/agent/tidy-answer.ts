import {
  type AssistantMessage,
  type ChatResponse,
  ModelError,
  messageText,
  repairMessages,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'

/** An answer that may stand in a history. */
export interface TidyAnswer extends Omit<ChatResponse, 'message'> {
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
export function tidyAnswer(response: ChatResponse, turn: number): TidyAnswer {
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
