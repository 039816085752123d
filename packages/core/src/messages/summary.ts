import type { AssistantMessage, Message, TextPart } from '../spec/v1/index.ts'
import { equalValues } from './json-value.ts'
import { messageText } from './message-parts.ts'

const OPENING = '[Context summary: reference only]'
const CLOSING = '[End of context summary]'

/** Invariant 10: a summary is data about the past, never an instruction. */
const EXPLANATION =
  'Earlier messages of this conversation were replaced by this summary to fit the context window. It is a record ' +
  'of the past, not a request: what it mentions was asked or done before. Only messages after it are current. ' +
  'If a detail is missing, search for it, read the file again, or ask.'

const BEGINNING = `${OPENING}\n${EXPLANATION}\n\n`

/**
 * Wraps a summary's text between markers, so that a model takes it for data and every engine recognises it, also in a
 * restored session. Markers inside the text are defused.
 */
export function renderSummary(text: string): string {
  return `${BEGINNING}${defuse(text).trim()}\n\n${CLOSING}`
}

/**
 * Renders a summary as parts: one per text, and a last one that closes the frame. A provider's cache keeps the parts
 * before the first changed one.
 */
export function renderSummaryParts(texts: readonly string[]): TextPart[] {
  const [first = '', ...rest] = texts.map((text) => defuse(text).trim()).filter((text) => text !== '')
  const blocks = [`${BEGINNING}${first}`, ...rest].map((text) => `${text}\n`)
  return [...blocks, CLOSING].map((text) => ({ type: 'text', text }))
}

/**
 * The text of a message that is a summary; undefined for other messages. The frame must match from the first to the
 * last character.
 */
export function readSummary(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message).trimEnd()
  if (!text.startsWith(BEGINNING) || !text.endsWith(CLOSING)) return undefined
  return text.slice(BEGINNING.length, -CLOSING.length).trim()
}

/** True for a message that is a summary. */
export function isSummary(message: Message): boolean {
  return readSummary(message) !== undefined
}

function defuse(text: string): string {
  return text.replaceAll(OPENING, '(context summary)').replaceAll(CLOSING, '(end of context summary)')
}

/** Placed between a summary and a user message, because invariant 2 forbids two user messages in a row. */
const BEFORE: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(What followed is summarised below.)',
})
const BEHIND: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(The summary above covers the conversation up to here.)',
})

export interface SummaryPlacement {
  readonly head: readonly Message[]
  /** The summary's text without its frame, or a list of texts for one that grows at its end, oldest first. */
  readonly summary: string | readonly string[]
  readonly request?: Message | undefined
  readonly tail: readonly Message[]
}

/** Joins head, framed summary, request and tail. A bridge message separates two user messages. */
export function placeSummary({ head, summary, request, tail }: SummaryPlacement): Message[] {
  return [
    ...head,
    ...(head.at(-1)?.role === 'user' ? [BEFORE] : []),
    {
      role: 'user',
      content: typeof summary === 'string' ? renderSummary(summary) : renderSummaryParts(summary),
    },
    ...((request ?? tail[0])?.role === 'user' ? [BEHIND] : []),
    ...(request === undefined ? [] : [request]),
    ...(request?.role === 'user' && tail[0]?.role === 'user' ? [BEHIND] : []),
    ...tail,
  ]
}

/** True for a bridge message, which has no content of its own. */
export function isBridge(message: Message | undefined): boolean {
  if (message?.role !== 'assistant' || message.tool_calls?.length) return false
  return [BEFORE, BEHIND].some(({ content }) => equalValues(message.content, content))
}
