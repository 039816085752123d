import { redactSecrets } from '../redaction/redact-secrets.ts'
import type { FunctionToolCall, Message, ToolCall } from '../spec/v1/index.ts'
import { toolCallsOf } from './message-parts.ts'

/** Slices a text without splitting a character: offsets inside a surrogate pair move inwards. */
export function sliceCharacters(text: string, from: number, to: number): string {
  return text.slice(isInsidePair(text, from) ? from + 1 : from, isInsidePair(text, to) ? to - 1 : to)
}

function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff
}

/** The line number at an offset, from 1; at the end of a text, its number of lines. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}

const HEAD_SHARE = 0.6

/** Marks a cut. The engine's own mark may say how to read the whole text. */
const MARK = /\n?(\[… )(\d{1,12})( characters [^\n]{1,300} …\])\n?/
const ENDING =
  ' characters left out here to fit the context window; the transcript of the session has the whole …]'
const SHORT_ENDING = ' characters left out; the transcript has them …]'

export function shortenText<M extends Message>(message: M, characters: number): M {
  const { content } = message
  if (typeof content === 'string') {
    const text = cutMiddle(content, characters)
    return text === content ? message : { ...message, content: text }
  }
  if (!Array.isArray(content)) return message
  const parts = content.map((part) => {
    if (part?.type !== 'text' || typeof part.text !== 'string') return part
    const text = cutMiddle(part.text, characters)
    return text === part.text ? part : { ...part, text }
  })
  return parts.every((part, index) => part === content[index]) ? message : { ...message, content: parts }
}

export function shortenCalls<M extends Message>(message: M, characters: number): M {
  const calls = toolCallsOf(message)
  const shortened = calls.map((call) => shortenCall(call, characters))
  if (shortened.every((call, index) => call === calls[index])) return message
  return { ...message, tool_calls: shortened }
}

function shortenCall(call: ToolCall, characters: number): ToolCall {
  if (call.type === 'custom') {
    const input = cutMiddle(call.custom.input, characters)
    return input === call.custom.input ? call : { ...call, custom: { ...call.custom, input } }
  }
  const { length } = call.function.arguments
  if (length <= characters) return call
  const text =
    length > MOST_PARSED ? asMember(call.function.arguments, characters) : shortArguments(call, characters)
  return text.length >= length ? call : { ...call, function: { ...call.function, arguments: text } }
}

/** Longer arguments, in characters, are not parsed: that, and redacting all of them, would hold up the process. */
const MOST_PARSED = 1_000_000

function shortArguments(call: FunctionToolCall, characters: number): string {
  const whole = redactSecrets(call.function.arguments)
  const kept = shortenJson(whole, characters)
  return kept === undefined || kept.length > 2 * characters ? asMember(whole, characters) : kept
}

function asMember(json: string, characters: number): string {
  return JSON.stringify({ arguments: cutMiddle(json, characters) })
}

function shortenJson(json: string, characters: number): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === 'string' ? cutMiddle(value, characters) : value,
    )
  } catch {
    return undefined
  }
}

/** Characters redacted beyond the shown ones: half of a secret would not be recognised. */
const MARGIN = 20_000

/** Redacts the start and the end of a text, as far as `characters` of it are shown. */
function redactedEnds(text: string, characters: number): string {
  const [head, tail] = [HEAD_SHARE, 1 - HEAD_SHARE].map((share) => Math.ceil(characters * share)) as [
    number,
    number,
  ]
  if (text.length <= characters + 4 * MARGIN) return redactSecrets(text)
  const begin = redactSecrets(text.slice(0, head + MARGIN))
  const end = redactSecrets(text.slice(-tail - MARGIN))
  if (begin.length < head || end.length < tail) return redactSecrets(text)
  return begin + text.slice(head + MARGIN, -tail - MARGIN) + end
}

function cutMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text
  const whole = redactedEnds(text, characters)
  const mark = MARK.exec(whole)
  const before = mark === null ? whole : whole.slice(0, mark.index)
  const behind = mark === null ? whole : whole.slice(mark.index + mark[0].length)
  const head = sliceCharacters(before, 0, Math.min(before.length, Math.floor(characters * HEAD_SHARE)))
  const rest = mark === null ? whole.length - head.length : behind.length
  const tailLength = Math.min(rest, characters - Math.floor(characters * HEAD_SHARE))
  const tail = sliceCharacters(behind, behind.length - tailLength, behind.length)
  const shown = head.length + tail.length
  const left = mark === null ? whole.length - shown : before.length + behind.length - shown + Number(mark[2])
  const ending = mark?.[3] ?? (characters === 0 ? SHORT_ENDING : ENDING)
  const cut = [head, `[… ${left}${ending}`, tail].filter((part) => part !== '').join('\n')
  return cut.length < text.length ? cut : text
}
