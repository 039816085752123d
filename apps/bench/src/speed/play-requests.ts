import {
  type AssistantMessage,
  type ContextSession,
  countMessages,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'

/** A request of a conversation, and the answer that came. */
export interface PlayedRequest {
  /** How many messages of the conversation lie before the answer. */
  readonly length: number
  readonly answer: AssistantMessage
}

/** Messages that come at once where nothing is measured. */
const STRIDE = 100

/** The requests of a conversation: one before each answer of the model. */
export function requestsOf(messages: readonly Message[]): PlayedRequest[] {
  return messages.flatMap((message, length) =>
    message.role === 'assistant' ? [{ length, answer: message }] : [],
  )
}

export interface PlayInput {
  readonly messages: readonly Message[]
  /** Those of them that are sent. */
  readonly requests: readonly PlayedRequest[]
  readonly tokens: TokenCounter
}

/** Sends some of the requests, about one for each hundred messages: the history grows, and is compacted when it is due. */
export async function catchUp(
  session: ContextSession,
  { messages, requests, tokens }: PlayInput,
): Promise<void> {
  for (const { length, answer } of requests) {
    if (length < session.transcript.length + STRIDE) continue
    const request = await session.prepare(messages.slice(0, length))
    await session.observe(answered(request.messages, answer, tokens))
  }
}

/** What a provider would report for a request, by our own counter. */
export function answered(request: readonly Message[], answer: AssistantMessage, tokens: TokenCounter) {
  const [prompt, completion] = [countMessages(tokens, request), tokens.countMessage(answer)]
  return {
    message: answer,
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  }
}
