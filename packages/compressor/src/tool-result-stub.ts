import {
  answeredCalls,
  lineAt,
  type Message,
  messageText,
  sliceCharacters,
  type ToolCall,
  type ToolMessage,
  toolCallsOf,
} from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { callLabel, resultStatus } from '@palimpsest/extractive'

const STUB = '[cut: '
const STUB_END = '; summarised above]'
/** True for a text that an earlier compaction wrote or cut. */
export function isShortened(text: string): boolean {
  return (text.startsWith(STUB) && text.endsWith(STUB_END)) || GAP.test(text)
}

/** The call that each result answers, without the secrets in its arguments. */
export function redactedCalls(messages: readonly Message[]): Map<Message, ToolCall> {
  return answeredCalls(
    messages.map((message) => (toolCallsOf(message).length > 0 ? redactMessage(message) : message)),
  )
}

/** One line instead of an old tool result that a summary tells. `call`: one of `redactedCalls`. */
export function stubResult(result: ToolMessage, call: ToolCall | undefined): ToolMessage {
  return withText(result, `${STUB}${describeResult(result, call)}${STUB_END}`)
}

/** The messages with one line instead of each tool result above so many characters. */
export function clearResults(messages: readonly Message[], characters: number): Message[] {
  const calls = redactedCalls(messages)
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    const text = messageText(message)
    if (text.length <= characters || isShortened(text)) return message
    return withText(message, `[cleared: ${describeResult(message, calls.get(message))}]`)
  })
}

/** Which call it answers, how long it is, and whether it had failed. */
function describeResult(result: ToolMessage, call: ToolCall | undefined): string {
  const text = messageText(result)
  const status = resultStatus(result, call)
  const parts = [
    call === undefined ? 'result' : `result of ${callLabel(call)}`,
    `${lineAt(text, text.length)} lines`,
    `${text.length} characters`,
    ...(status === undefined ? [] : [`it had ${status}`]),
  ]
  return parts.join(', ')
}

const GAP = /\n\[… (\d+) characters left out here to fit the context window; summarised above …\]\n/

/** A long text as its beginning and its end, with the number of characters between them. */
export function cutMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const headLength = Math.floor(characters * 0.6)
  const tailLength = Math.max(0, characters - headLength)
  const head = sliceCharacters(text, 0, headLength)
  const tail = sliceCharacters(text, text.length - tailLength, text.length)
  const left = leftOut(text.slice(head.length, text.length - tail.length))
  return `${head}\n[… ${left} characters left out here to fit the context window; summarised above …]\n${tail}`
}

/** Characters of a text, and what an earlier cut in it has left out already. */
function leftOut(text: string): number {
  const earlier = GAP.exec(text)
  return earlier === null ? text.length : text.length - earlier[0].length + Number(earlier[1])
}

/** The result with another text; its id and its other fields stay. */
export function withText(result: ToolMessage, text: string): ToolMessage {
  return { ...result, content: text }
}
