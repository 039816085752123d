import { type Message, messageText, type ToolMessage } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { callOf, resultStatus } from '@palimpsest/extractive'

const STUB = '[cut: '
const STUB_END = '; summarised above]'
/** True for a text that an earlier compaction wrote or cut. */
export function isShortened(text: string): boolean {
  return (text.startsWith(STUB) && text.endsWith(STUB_END)) || GAP.test(text)
}

/** One line instead of an old tool result: which call, how long, and whether it had failed. */
export function stubResult(result: ToolMessage, owner: Message | undefined): ToolMessage {
  const text = messageText(result)
  const call = owner === undefined ? undefined : callOf(result, redactMessage(owner))
  const status = resultStatus(result, owner)
  const parts = [
    call === undefined ? 'result' : `result of ${call.label}`,
    `${text.split('\n').length} lines`,
    `${text.length} characters`,
    ...(status === undefined ? [] : [`it had ${status}`]),
  ]
  return withText(result, `${STUB}${parts.join(', ')}${STUB_END}`)
}

const GAP = /\n\[… (\d+) characters left out here to fit the context window; summarised above …\]\n/

/** A long text as its beginning and its end, with the number of characters between them. */
export function cutMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const headLength = Math.floor(characters * 0.6)
  const tailLength = Math.max(0, characters - headLength)
  const head = sliceWhole(text, 0, headLength)
  const tail = sliceWhole(text, text.length - tailLength, text.length)
  const left = leftOut(text.slice(head.length, text.length - tail.length))
  return `${head}\n[… ${left} characters left out here to fit the context window; summarised above …]\n${tail}`
}

/** Characters of a text, and what an earlier cut in it has left out already. */
function leftOut(text: string): number {
  const earlier = GAP.exec(text)
  return earlier === null ? text.length : text.length - earlier[0].length + Number(earlier[1])
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
