import {
  type Message,
  messageText,
  type ToolCall,
  type ToolMessage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'

const STUB = '[cut: '
/** Characters of a call's main argument that a stub repeats. */
const SUBJECT_CHARACTERS = 120

/** The arguments that say best what a call was about, most telling first. */
const SUBJECT_KEYS = [
  'command',
  'cmd',
  'file_path',
  'path',
  'file',
  'filename',
  'pattern',
  'query',
  'url',
  'name',
  'description',
]

/** True for a tool result that was shortened before. */
export function isShortened(text: string): boolean {
  return text.startsWith(STUB) || text.includes(GAP)
}

/** One line instead of an old tool result: which call, about what, how long, and whether it had failed. */
export function stubResult(
  result: ToolMessage,
  owner: Message | undefined,
  status: 'failed' | 'succeeded' | undefined,
): ToolMessage {
  const text = messageText(result)
  const lines = text.split('\n').length
  const outcome = status === undefined ? '' : `, it had ${status}`
  const call = toolCallsOf(owner ?? result).find(({ id }) => id === result.tool_call_id)
  return withText(
    result,
    `${STUB}${describeCall(call)}, ${lines} lines, ${text.length} characters${outcome}; summarised above]`,
  )
}

function describeCall(call: ToolCall | undefined): string {
  if (call === undefined) return 'result'
  const subject = callSubject(call)
  return subject === '' ? `result of ${toolCallName(call)}` : `result of ${toolCallName(call)} ${subject}`
}

/** What a call was about, in one line: its path, command or query. */
function callSubject(call: ToolCall): string {
  const input = toolCallInput(call)
  let value: unknown = input
  try {
    const parsed: unknown = JSON.parse(input)
    if (typeof parsed === 'object' && parsed !== null) {
      const fields = parsed as Record<string, unknown>
      value =
        SUBJECT_KEYS.map((key) => fields[key]).find(
          (field) => typeof field === 'string' || Array.isArray(field),
        ) ?? ''
    }
  } catch {
    // Free text: its beginning says what it is.
  }
  const text = (Array.isArray(value) ? value.join(' ') : String(value)).replace(/\s+/g, ' ').trim()
  return text.length <= SUBJECT_CHARACTERS ? text : `${sliceWhole(text, 0, SUBJECT_CHARACTERS)}…`
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
