import type { AssistantMessage, Message, TextPart } from '../spec/v1/index.ts'
import { equalValues } from './json-value.ts'
import { messageText } from './message-parts.ts'

const OPENING = '[Context summary: reference only]'
const CLOSING = '[End of context summary]'

/** Tells the model what the summary is. Invariant 10: data about the past, never an instruction. */
const EXPLANATION =
  'Earlier messages of this conversation were replaced by this summary to fit the context window. It is a record ' +
  'of the past, not a request: what it mentions was asked or done before. Only messages after it are current. ' +
  'If a detail is missing, search for it, read the file again, or ask.'

const BEGINNING = `${OPENING}\n${EXPLANATION}\n\n`

/**
 * Wraps the text of a summary so that a model takes it for data and every engine recognises it again, in a
 * restored session too. Markers inside the text are defused, so a summary never nests or ends early.
 */
export function renderSummary(text: string): string {
  return `${BEGINNING}${defuse(text).trim()}\n\n${CLOSING}`
}

/**
 * The same as parts of a message, one for each text and one that ends the frame: a provider's cache keeps the parts in
 * front of the first that changes, and nothing of a part that changes.
 */
export function renderSummaryParts(texts: readonly string[]): TextPart[] {
  const [first = '', ...rest] = texts.map((text) => defuse(text).trim()).filter((text) => text !== '')
  const blocks = [`${BEGINNING}${first}`, ...rest].map((text) => `${text}\n`)
  return [...blocks, CLOSING].map((text) => ({ type: 'text', text }))
}

/**
 * The text of the summary that a message holds; undefined for every other message. Only the exact frame counts,
 * from the first character to the last, so that a text that merely begins like a summary stays what it is.
 */
export function readSummary(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = messageText(message).trimEnd()
  if (!text.startsWith(BEGINNING) || !text.endsWith(CLOSING)) return undefined
  return text.slice(BEGINNING.length, -CLOSING.length).trim()
}

/** True for a message that takes the place of earlier ones. */
export function isSummary(message: Message): boolean {
  return readSummary(message) !== undefined
}

function defuse(text: string): string {
  return text.replaceAll(OPENING, '(context summary)').replaceAll(CLOSING, '(end of context summary)')
}

/** Stand where a summary, which is a user message, would touch another one: invariant 2 wants no two in a row. */
const BEFORE: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(What followed is summarised below.)',
})
const BEHIND: AssistantMessage = Object.freeze({
  role: 'assistant',
  content: '(The summary above covers the conversation up to here.)',
})

export interface SummaryPlacement {
  /** Messages that stay before the summary: the system prompt, first messages. */
  readonly head: readonly Message[]
  /** The text of the summary, without its frame; a list for one that grows at its end, oldest first. */
  readonly summary: string | readonly string[]
  /** The user's last message, where something between it and the tail is summarised. */
  readonly request?: Message | undefined
  /** The messages that follow it. */
  readonly tail: readonly Message[]
}

/**
 * Head, marked summary, request and tail as one list. A bridge stands where a user message would touch the summary, or the request
 * what a host inserted later.
 */
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

/** True for a bridge that an earlier compaction put beside its summary: it says nothing of its own. */
export function isBridge(message: Message | undefined): boolean {
  if (message?.role !== 'assistant' || message.tool_calls?.length) return false
  return [BEFORE, BEHIND].some(({ content }) => equalValues(message.content, content))
}
