import type { Message } from '@palimpsest/core'
import type { Label } from './label.ts'

/** Why something that looks like a decision is none. */
export type Negative =
  | 'question'
  | 'hypothetical'
  | 'negation'
  | 'reported'
  | 'history'
  | 'quote'
  | 'code'
  | 'log'
  | 'transcript'
  | 'one-off'
  | 'undecided'
  | 'joke'
  | 'statement'

/** A message with what it decides. */
export interface LabelledMessage {
  readonly message: Message
  readonly labels: readonly Label[]
  /** Of a user's message without labels: why there are none. */
  readonly negative?: Negative
}

export interface LabelledConversation {
  readonly id: string
  /** BCP 47: `en`, `de`. */
  readonly language: string
  readonly messages: readonly LabelledMessage[]
}

/** A user's message that decides something. */
export const user = (content: string, ...labels: readonly Label[]): LabelledMessage => ({
  message: { role: 'user', content },
  labels,
})

/** A user's message that decides nothing. */
export const none = (negative: Negative, content: string): LabelledMessage => ({
  message: { role: 'user', content },
  labels: [],
  negative,
})

/** An assistant's message, with what it proposes. */
export const assistant = (content: string, ...labels: readonly Label[]): LabelledMessage => ({
  message: { role: 'assistant', content },
  labels,
})

/** A tool call and its result, which is data and decides nothing. */
export const ran = (name: string, args: object, result: string): readonly LabelledMessage[] => {
  const id = `call-${name}-${result.length}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const
  return [
    { message: { role: 'assistant', content: null, tool_calls: [call] }, labels: [] },
    { message: { role: 'tool', tool_call_id: id, content: result }, labels: [] },
  ]
}

/** A conversation; the messages of tool calls may stand in lists of their own. */
export const talk = (
  id: string,
  language: string,
  messages: readonly (LabelledMessage | readonly LabelledMessage[])[],
): LabelledConversation => ({ id, language, messages: messages.flat() })
