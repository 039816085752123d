import type OpenAI from 'openai'
import type {
  AssistantMessage,
  ContextSession,
  HostTool,
  Message,
  ToolCall,
  ToolSchema,
} from '../../src/index.ts'
import type { HostMessage } from '../../src/session/session-types.ts'

type Param = OpenAI.Chat.Completions.ChatCompletionMessageParam
/** The role that no current model produces. */
type Supported = Exclude<Param, OpenAI.Chat.Completions.ChatCompletionFunctionMessageParam>

/** True when a value of the one type can be used as the other. */
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly oursToTheirs: IsAssignable<Message, Param>
  readonly theirsToOurs: IsAssignable<Supported, Message>
  readonly listOfOurs: IsAssignable<Message[], Param[]>
  readonly listOfTheirs: IsAssignable<Supported[], Message[]>
  readonly ourCall: IsAssignable<ToolCall, OpenAI.Chat.Completions.ChatCompletionMessageToolCall>
  readonly theirCall: IsAssignable<OpenAI.Chat.Completions.ChatCompletionMessageToolCall, ToolCall>
  readonly theirAnswer: IsAssignable<OpenAI.Chat.Completions.ChatCompletionMessage, AssistantMessage>
  readonly ourTool: IsAssignable<ToolSchema, OpenAI.Chat.Completions.ChatCompletionTool>
  readonly theirTool: IsAssignable<OpenAI.Chat.Completions.ChatCompletionTool, HostTool>
  readonly theirList: IsAssignable<Param[], readonly HostMessage[]>
} = {
  oursToTheirs: true,
  theirsToOurs: true,
  listOfOurs: true,
  listOfTheirs: true,
  ourCall: true,
  theirCall: true,
  theirAnswer: true,
  ourTool: true,
  theirTool: true,
  theirList: true,
}

/** The same as code: what a host writes. */
export function roundTrip(
  messages: Supported[],
  answer: OpenAI.Chat.Completions.ChatCompletionMessage,
): Param[] {
  const ours: Message[] = [...messages, answer]
  return ours
}

/** A host that knows OpenAI's types only: what the session takes and what it gives needs no cast. */
export async function ask(
  openai: OpenAI,
  session: ContextSession,
  history: Param[],
  tools: OpenAI.Chat.Completions.ChatCompletionTool[],
  signal: AbortSignal | undefined,
): Promise<Param[]> {
  let prepared = await session.prepare(history, { tools, signal })
  const request = { model: 'gpt', messages: prepared.messages, tools: prepared.tools }
  const { choices, usage } = await openai.chat.completions.create(request)
  const message = choices[0]?.message
  await session.observe({ message, usage })
  prepared = await session.recover(new Error('too long'), { tools, signal })
  for (const call of message?.tool_calls ?? []) {
    const answer = await session.answerCall(call, { signal })
    if (answer !== undefined) history.push(answer)
  }
  return prepared.messages
}
