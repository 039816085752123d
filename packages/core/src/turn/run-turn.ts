import { errorText } from '../errors/errors.ts'
import { toolCallInput, toolCallsOf } from '../messages/message-parts.ts'
import { abortable } from '../session/scheduling.ts'
import type { ContextSession, HostMessage, HostTool, Prepared } from '../session/session-types.ts'
import type {
  AssistantMessage,
  CompressResult,
  ToolCall,
  ToolMessage,
  ToolSchema,
  Warning,
} from '../spec/v1/index.ts'

const DEFAULT_MAX_ROUNDS = 50

/** The part of a session that a turn uses. A host may wrap any of the four methods. */
export type TurnSession = Pick<ContextSession, 'prepare' | 'recover' | 'observe' | 'answerCall'>

/** The answer to one request. A host's own fields are returned unchanged. */
export interface TurnAnswer {
  readonly message: AssistantMessage
  /** Usage in our shape or OpenAI's. Default: not reported. */
  readonly usage?: object | null | undefined
}

/** One request to the model. */
export interface TurnRequest<Tool extends HostTool = ToolSchema> extends Prepared<Tool> {
  /** True for the last request that `maxRounds` allows; it offers no tools, so the model has to answer. */
  readonly isLast: boolean
  readonly signal: AbortSignal
}

export interface TurnInput<Answer extends TurnAnswer, Tool extends HostTool = ToolSchema> {
  readonly session: TurnSession
  readonly messages: readonly HostMessage[]
  /** The host's own tools. Default: none. */
  readonly tools?: readonly Tool[] | undefined
  /** Asks the model. A streaming host shows text from here, and resolves with the whole message. */
  ask(request: TurnRequest<Tool>): Promise<Answer>
  /**
   * Runs one of the host's tools and returns the result for the model. An error becomes the result. The turn waits for
   * it even on an abort, so it should observe the signal. Default: such calls are handed back.
   */
  readonly runTool?: ((call: ToolCall, signal: AbortSignal) => string | Promise<string>) | undefined
  /** Called with each new message before the engine receives it. An error ends the turn. */
  readonly onMessage?:
    | ((message: AssistantMessage | ToolMessage, turn: TurnSoFar<Answer, Tool>) => void | Promise<void>)
    | undefined
  /** Maximum number of requests. Default 50. */
  readonly maxRounds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface TurnSoFar<Answer extends TurnAnswer, Tool extends HostTool = ToolSchema> {
  readonly answers: readonly [Answer, ...Answer[]]
  /** All messages that the turn adds to the history: answers and tool results. */
  readonly messages: readonly (AssistantMessage | ToolMessage)[]
  readonly prepared: Prepared<Tool>
  readonly compactions: readonly CompressResult[]
  readonly warnings: readonly Warning[]
}

export interface Turn<Answer extends TurnAnswer, Tool extends HostTool = ToolSchema>
  extends TurnSoFar<Answer, Tool> {
  /**
   * - `answered`: the last answer calls no tool.
   * - `handed-back`: it calls tools that only the host's client can run. `messages` has the results of the other calls.
   * - `too-many-rounds`: it calls tools, they ran, and `maxRounds` is reached.
   */
  readonly end: 'answered' | 'handed-back' | 'too-many-rounds'
}

/**
 * Runs one turn: asks the model until it answers without calling a tool. Runs the engine's tools, and the
 * host's with `runTool`. A prompt that the provider refuses as too long is compacted harder and sent once
 * more.
 *
 * @throws what `ask` throws; `signal.reason` on an abort; ContextOverflowError if a refused prompt cannot be
 * made smaller.
 *
 * @example
 * ```ts
 * history.push({ role: 'user', content: question })
 * const turn = await runTurn({
 * session,
 * messages: history,
 * tools: toolSchemas,
 * ask: ({ messages, tools, signal }) => model.chat({ messages, tools, signal }),
 * runTool: (call) => runTool(call),
 * })
 * history.push(...turn.messages)
 * ```
 */
export async function runTurn<Answer extends TurnAnswer, Tool extends HostTool = ToolSchema>(
  input: TurnInput<Answer, Tool>,
): Promise<Turn<Answer, Tool>> {
  const { session, tools, maxRounds = DEFAULT_MAX_ROUNDS, signal = new AbortController().signal } = input
  const options = { signal, ...(tools !== undefined && { tools }) }
  // `onMessage` may add to the host's list.
  const history = [...input.messages]
  const answers: Answer[] = []
  const messages: (AssistantMessage | ToolMessage)[] = []
  const compactions: CompressResult[] = []
  const warnings: Warning[] = []
  let prepared: Prepared<Tool>

  const soFar = (): TurnSoFar<Answer, Tool> => ({
    answers: [...answers] as [Answer, ...Answer[]],
    messages: [...messages],
    prepared,
    compactions: [...compactions],
    warnings: [...warnings],
  })

  const send = (next: Prepared<Tool>, isLast: boolean): Promise<Answer> => {
    prepared = next
    compactions.push(...next.compactions)
    warnings.push(...next.warnings)
    return abortable(input.ask({ ...next, isLast, signal }), signal)
  }

  const ask = async (isLast: boolean): Promise<Answer> => {
    const first = await session.prepare<Tool>([...history, ...messages], options)
    try {
      return await send(first, isLast)
    } catch (error) {
      signal.throwIfAborted()
      return send(await session.recover<Tool>(error, options), isLast)
    }
  }

  const add = async (message: AssistantMessage | ToolMessage): Promise<void> => {
    messages.push(message)
    await input.onMessage?.(message, soFar())
  }

  const runCalls = async (calls: readonly ToolCall[]): Promise<boolean> => {
    let isWhole = true
    for (const call of calls) {
      signal.throwIfAborted()
      const result =
        (await session.answerCall(withArguments(call), { signal })) ??
        (await runHostTool(input, call, signal))
      if (result === undefined) isWhole = false
      else await add(result)
    }
    signal.throwIfAborted()
    return isWhole
  }

  for (let round = 1; ; round++) {
    const answer = await ask(round >= maxRounds)
    const { message, usage } = answer
    answers.push(answer)
    await add(message)
    await session.observe({ message, usage })
    const calls = toolCallsOf(message)
    if (calls.length === 0) return { ...soFar(), end: 'answered' }
    if (!(await runCalls(calls))) return { ...soFar(), end: 'handed-back' }
    if (round >= maxRounds) return { ...soFar(), end: 'too-many-rounds' }
  }
}

async function runHostTool(
  { runTool }: { readonly runTool?: TurnInput<TurnAnswer>['runTool'] },
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolMessage | undefined> {
  if (runTool === undefined) return undefined
  const result = (content: string): ToolMessage => ({ role: 'tool', tool_call_id: call.id, content })
  try {
    return result(await runTool(call, signal))
  } catch (error) {
    signal.throwIfAborted()
    return result(`Error: the tool failed: ${errorText(error)}`)
  }
}

/** Some models write nothing for an empty object. */
function withArguments(call: ToolCall): ToolCall {
  if (call.type === 'custom' || toolCallInput(call).trim() !== '') return call
  return { ...call, function: { ...call.function, arguments: '{}' } }
}
