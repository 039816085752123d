import { type Message, messageText } from '@palimpsest/core'
import type { ReadMessage } from '@palimpsest/decisions'
import * as z from 'zod'
import { type Label, labelSchema } from './label.ts'

/** Why something that looks like a decision is none. */
const NEGATIVES = [
  ...['question', 'hypothetical', 'negation', 'reported', 'history', 'quote', 'code', 'log'],
  ...['transcript', 'one-off', 'undecided', 'joke', 'statement'],
]

export interface LabelledMessage {
  readonly message: Message
  readonly labels: readonly Label[]
  /** Of a user's message without labels: why there are none. */
  readonly negative?: string
}

export interface LabelledConversation {
  readonly id: string
  readonly language: string
  readonly messages: readonly LabelledMessage[]
}

const text = z.string().min(1)
const labels = z.array(labelSchema).min(1)

/** A message as a file has it, by its first word. */
const SHAPES = {
  /** It decides something (`labels`), or nothing (`none` says why). */
  user: z
    .strictObject({ user: text, labels: labels.optional(), none: z.enum(NEGATIVES).optional() })
    .refine(({ labels, none }) => (labels === undefined) !== (none === undefined), 'labels or none is needed')
    .transform(({ user, labels = [], none }): LabelledMessage[] => [
      { message: { role: 'user', content: user }, labels, ...(none !== undefined && { negative: none }) },
    ]),
  assistant: z
    .strictObject({ assistant: text, labels: labels.optional() })
    .transform(({ assistant, labels = [] }): LabelledMessage[] => [
      { message: { role: 'assistant', content: assistant }, labels },
    ]),
  /** A call with its result, which is data and decides nothing. */
  tool: z
    .strictObject({ tool: text, arguments: z.record(z.string(), z.unknown()), result: z.string() })
    .transform(({ tool, arguments: args, result }) => callOf(tool, args, result)),
}

const messageSchema = z.record(z.string(), z.unknown()).transform((value, { addIssue }) => {
  const [word] = Object.keys(value)
  const shape = word === 'user' || word === 'assistant' || word === 'tool' ? SHAPES[word] : undefined
  const parsed = shape?.safeParse(value)
  if (parsed?.success) return parsed.data
  const unknown = { message: 'a message begins with user, assistant or tool', path: [] }
  for (const { message, path } of parsed?.error.issues ?? [unknown])
    addIssue({ code: 'custom', message, path: [...path] })
  return z.NEVER
})

function callOf(name: string, args: object, result: string): LabelledMessage[] {
  const id = `call-${name}-${result.length}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const
  return [
    { message: { role: 'assistant', content: null, tool_calls: [call] }, labels: [] },
    { message: { role: 'tool', tool_call_id: id, content: result }, labels: [] },
  ]
}

export const conversationSchema: z.ZodType<LabelledConversation> = z.strictObject({
  id: text,
  language: text,
  messages: z.array(messageSchema).transform((messages) => messages.flat()),
})

/** The messages of a conversation as the engine hands them to an extractor, one by one. */
export function readConversation({ messages }: LabelledConversation): ReadMessage[] {
  return messages.map(({ message }, index): ReadMessage => {
    if (message.role !== 'user') return { index, message }
    const before = messages.slice(0, index).map((labelled) => labelled.message)
    const at = before.findLastIndex((other) => other.role === 'assistant' && messageText(other) !== '')
    const previous = before[at]
    return previous === undefined
      ? { index, message }
      : { index, message, previous: { index: at, text: messageText(previous) } }
  })
}
