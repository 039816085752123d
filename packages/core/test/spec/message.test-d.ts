import type OpenAI from 'openai'
import type { AssistantMessage, Message, ToolCall, ToolSchema } from '../../src/index.ts'

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
} = {
  oursToTheirs: true,
  theirsToOurs: true,
  listOfOurs: true,
  listOfTheirs: true,
  ourCall: true,
  theirCall: true,
  theirAnswer: true,
  ourTool: true,
}

/** The same as code: what a host writes. */
export function roundTrip(
  messages: Supported[],
  answer: OpenAI.Chat.Completions.ChatCompletionMessage,
): Param[] {
  const ours: Message[] = [...messages, answer]
  return ours
}
