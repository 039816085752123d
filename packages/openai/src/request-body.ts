import type { Message, ToolSchema } from '@palimpsest/core'
import { wellFormed } from '@palimpsest/provider-utils'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources'
import type { Dialect } from './dialect.ts'
import { toWireMessages } from './to-wire-messages.ts'

/** What one call asks for, apart from what the model's options say. */
export interface OpenAiRequest {
  readonly messages: readonly Message[]
  readonly tools?: readonly ToolSchema[] | undefined
  /** Upper bound for the answer, in tokens. */
  readonly maxOutputTokens?: number | undefined
}

/** A request as the server takes it, but for what makes it a stream. */
export function requestBody(
  model: string,
  { messages, tools = [], maxOutputTokens }: OpenAiRequest,
  dialect: Dialect,
): ChatCompletionCreateParamsNonStreaming {
  return wellFormed({
    model,
    messages: toWireMessages(messages, dialect),
    // An empty list is refused.
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...(maxOutputTokens === undefined ? {} : { [dialect.outputLimit]: maxOutputTokens }),
  })
}
