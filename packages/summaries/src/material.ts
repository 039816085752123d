import {
  answeredCalls,
  contentParts,
  type Message,
  messageText,
  readInstruction,
  type ToolCall,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { escapeTags } from './escape-tags.ts'
import { cutMiddle } from './text.ts'
import { fileTouches } from './tools/file-touches.ts'
import { resultStatus } from './tools/tool-outcome.ts'
import { withoutThinking } from './without-thinking.ts'

/** Characters of a tool result that the summariser reads, from its beginning and its end, by kind. */
const READ = {
  /** A ticket, a plan, a README: prose with requirements. */
  document: [6_000, 2_000],
  /** A test or build result, or a failure: the end matters most. */
  outcome: [1_000, 3_000],
  /** A file, a listing, search hits: they can be read again. */
  body: [700, 200],
  other: [1_500, 1_500],
} as const
const ARGUMENT = [700, 200] as const

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc)$/i
const OUTCOME = /\b(?:error|fail(?:ed|ure|ures)?|pass(?:ed)?|warnings?|exit(?:ed)?|exception)\b/i
const END = 1_500

/**
 * Renders messages for a summariser, one text for each, in order: speaker, calls, and failed results. Tool results and
 * arguments are cut by kind; words of users and assistants are not. Reasoning is left out.
 *
 * @param mark Names a message by its index, in front of it. Default: none.
 */
export function readMaterial(messages: readonly Message[], mark?: (index: number) => string): string[] {
  const calls = answeredCalls(messages)
  return messages.map((message, index) => {
    const text = serializeMessage(message, calls.get(message))
    return mark === undefined ? text : `${mark(index)} ${text}`
  })
}

const LABELS: Readonly<Record<Message['role'], string>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool result',
}

function serializeMessage(message: Message, answered: ToolCall | undefined): string {
  const whole = messageText(message)
  if (message.role === 'tool') {
    const failed = resultStatus(message, answered) === 'failed'
    const [head, tail] = READ[failed ? 'outcome' : kindOf(whole, answered)]
    const text = cutMiddle(whole, head, tail)
    return `[${failed ? 'tool result, failed' : 'tool result'}] ${escapeTags(withMedia(text, message))}`
  }
  const body = withMedia(message.role === 'assistant' ? withoutThinking(whole) : whole, message)
  const calls = toolCallsOf(message).map(
    (call) => `[assistant calls ${toolCallName(call)}] ${escapeTags(shortInput(call))}`,
  )
  const label = readInstruction(message) === undefined ? LABELS[message.role] : LABELS.system
  const said = body === '' && calls.length > 0 ? [] : [`[${label}] ${escapeTags(body)}`]
  return [...said, ...calls].join('\n')
}

function kindOf(text: string, call: ToolCall | undefined): keyof typeof READ {
  const touches = call === undefined ? [] : fileTouches(call)
  const isLook =
    touches.length > 0 && touches.every(({ operation }) => operation === 'read' || operation === 'searched')
  if (isLook) return touches.some(({ path }) => DOCUMENT.test(path)) ? 'document' : 'body'
  return OUTCOME.test(text.slice(-END)) ? 'outcome' : 'other'
}

function shortInput(call: ToolCall): string {
  const input = toolCallInput(call)
  const [head, tail] = ARGUMENT
  if (input.length <= head + tail) return input
  try {
    return JSON.stringify(JSON.parse(input), (_key, value) =>
      typeof value === 'string' ? cutMiddle(value, head, tail) : value,
    )
  } catch {
    return cutMiddle(input, 2 * head, tail)
  }
}

function withMedia(text: string, message: Message): string {
  if (!Array.isArray(message.content)) return text
  const media = contentParts(message).filter(({ type }) => type !== 'text' && type !== 'refusal')
  const words = media.map(({ type }) => `[${String(type).replace('_url', '')}]`)
  return [text, words.join(' ')].filter((part) => part !== '').join('\n')
}
