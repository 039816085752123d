import {
  type ChatModel,
  type ChatResponse,
  type Message,
  ModelError,
  messageText,
  type ToolCall,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { ModelMeter } from './model-meter.ts'

/** Rounds of tool calls that are answered; then the answerer gets no tools, and has to say something. */
const TOOL_ROUNDS = 3
const ANSWER_TOKENS = 4_096

/** Their calls are refused: what one answer writes down would be in the prompts of the next. */
const WRITING: ReadonlySet<string> = new Set(['decisions_record', 'decisions_retract'])

export interface AnswererInput {
  readonly model: ChatModel
  readonly meter: ModelMeter
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  callTool(name: string, args: object): Promise<string>
  readonly signal: AbortSignal
}

export interface Answer {
  readonly text: string
  /** Shown to the answerer beside the prompt: its calls, and the answers of the tools. */
  readonly found: readonly Message[]
  readonly toolCalls: number
  readonly cutOff: boolean
}

/** Lets the answerer answer, with at most three rounds of tools. Rejects with a `ModelError`, or when aborted. */
export async function askAnswerer(input: AnswererInput): Promise<Answer> {
  const found: Message[] = []
  let toolCalls = 0
  for (let round = 0; ; round++) {
    const tools = round < TOOL_ROUNDS ? input.tools : []
    const { message, finishReason } = await input.meter.send(() => ask(input, found, tools))
    const calls = tools.length > 0 ? toolCallsOf(message) : []
    if (calls.length === 0)
      return { text: messageText(message), found, toolCalls, cutOff: finishReason === 'length' }
    toolCalls += calls.length
    found.push(message)
    for (const call of calls)
      found.push({ role: 'tool', tool_call_id: call.id, content: await runTool(call, input) })
  }
}

async function ask(
  { model, messages, signal }: AnswererInput,
  found: readonly Message[],
  tools: readonly ToolSchema[],
): Promise<ChatResponse> {
  const response = await model.chat({
    messages: [...messages, ...found],
    ...(tools.length > 0 && { tools }),
    maxOutputTokens: ANSWER_TOKENS,
    signal,
  })
  const { message } = response
  // Calls of tools that were not offered are no answer either. The meter tries again.
  if (messageText(message).trim() === '' && (tools.length === 0 || toolCallsOf(message).length === 0))
    throw new ModelError('empty', 'the answerer said nothing')
  return response
}

/** A call that cannot be answered gets an error, as from a host. */
async function runTool(call: ToolCall, { callTool, signal }: AnswererInput): Promise<string> {
  const name = toolCallName(call)
  signal.throwIfAborted()
  if (WRITING.has(name)) return failure(`${name} is switched off: this conversation can be read only`)
  const args = readObject(toolCallInput(call))
  return args === undefined ? failure(`the arguments of ${name} are no JSON object`) : callTool(name, args)
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const failure = (error: string): string => JSON.stringify({ error })
