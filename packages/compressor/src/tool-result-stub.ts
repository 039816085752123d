import { type Message, messageText, type ToolMessage } from '@palimpsest/core'
import { callOf, resultStatus } from './result-status.ts'

const STUB = '[cut: '
/** True for a tool result that was shortened before. */
export function isShortened(text: string): boolean {
  return text.startsWith(STUB) || text.includes(GAP)
}

/** One line instead of an old tool result: which call, how long, and whether it had failed. */
export function stubResult(result: ToolMessage, owner: Message | undefined): ToolMessage {
  const text = messageText(result)
  const call = owner === undefined ? undefined : callOf(result, owner)
  const status = resultStatus(result, owner)
  const parts = [
    call === undefined ? 'result' : `result of ${call.label}`,
    `${text.split('\n').length} lines`,
    `${text.length} characters`,
    ...(status === undefined ? [] : [`it had ${status}`]),
  ]
  return withText(result, `${STUB}${parts.join(', ')}; summarised above]`)
}

const GAP = ' characters left out here to fit the context window; summarised above …]'

/** A long text as its beginning and its end, with the number of characters between them. */
export function cutMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const headLength = Math.floor(characters * 0.6)
  const tailLength = Math.max(0, characters - headLength)
  const head = sliceWhole(text, 0, headLength)
  const tail = sliceWhole(text, text.length - tailLength, text.length)
  return `${head}\n[… ${text.length - head.length - tail.length}${GAP}\n${tail}`
}

/** A slice that does not begin or end inside a surrogate pair. */
function sliceWhole(text: string, start: number, end: number): string {
  const from =
    isLowSurrogate(text.charCodeAt(start)) && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start
  const to = isLowSurrogate(text.charCodeAt(end)) && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
  return text.slice(from, Math.max(from, to))
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** The result with another text; its id and its other fields stay. */
export function withText(result: ToolMessage, text: string): ToolMessage {
  return { ...result, content: text }
}
