import { isInstruction, type Message, messageText, readSummary } from '@palimpsest/core'
import { readFrame } from '@palimpsest/summaries'
import { questionWords } from './question-words.ts'

/** Lines of the context that are looked at, the latest. */
const MAX_SCANNED = 20_000

/** A line of a prompt that says something of the matter. */
export interface ContextLine {
  readonly text: string
  /** Place in the context. */
  readonly order: number
  /** An entry of the record of decisions. */
  readonly isDecision: boolean
  readonly words: ReadonlySet<string>
}

/**
 * The lines of a prompt that say or decide something: without questions of the user, answers that were quotes themselves, and
 * what engines say about their own blocks.
 */
export function contextLines(messages: readonly Message[]): ContextLine[] {
  const lines = new Map<string, ContextLine>()
  for (const [order, { text, isDecision }] of messages.flatMap(linesOf).slice(-MAX_SCANNED).entries()) {
    const words = questionWords(isDecision ? text.replace(TAG, '') : text)
    if (words.size > 0 && !lines.has(text)) lines.set(text, { text, order, isDecision, words })
  }
  return [...lines.values()]
}

/** The end of an entry: its speaker and its turn. */
const TAG = /\[[^[\]]*\]$/

type Found = Pick<ContextLine, 'text' | 'isDecision'>

function linesOf(message: Message): readonly Found[] {
  const summary = summaryOf(message)
  if (summary !== undefined) return summaryLines(summary)
  const text = messageText(message)
  if (isInstruction(message) || isRecall(message)) return blockLines(text)
  if (message.role === 'assistant' && isOfflineAnswer(text)) return []
  if (ENGINE_TURN.test(text)) return []
  const lines = text.split('\n').map((line) => line.trim().replace(BULLET, ''))
  return (message.role === 'user' ? lines.map(withoutQuestions) : lines).map(said)
}

/** Turns of the user's that an engine has put in. */
const ENGINE_TURN = /^\((?:What is on record, for reference:|Earlier messages were replaced by )/
const BULLET = /^[-*•]\s+/

function said(text: string): Found {
  return { text: text.startsWith('<') ? '' : text, isDecision: false }
}

/** Entries of the blocks of decisions, and the code. Headings say nothing, details below an entry are no entries. */
function blockLines(text: string): Found[] {
  let isRecord = false
  return text.split('\n').flatMap((raw) => {
    const line = raw.trim()
    const block = /^<(\/?)\w*decisions>$/.exec(line)
    if (block !== null) isRecord = block[1] === ''
    if (line.startsWith('<') || NAMES_TOOL.test(line) || (isRecord && !raw.startsWith('- '))) return []
    return [{ text: line.replace(BULLET, ''), isDecision: isRecord }]
  })
}

const NAMES_TOOL = /\b(?:lcm|decisions)_[a-z]+/

/** The lines of a summary without its headings, its list of files, and what it says of itself. */
function summaryLines(text: string): Found[] {
  const { record, rules, host, said: words } = readFrame(text)
  const lines = record.split('\n').map((line) => line.trim())
  return [
    ...lines.filter((line) => !/^[#<[]/.test(line) && !NAMES_TOOL.test(line)),
    ...[...rules, ...words].map((quote) => withoutQuestions(quote.replace(MARK, ''))),
    ...[...host.values()].flat(),
  ].map((line) => said(line.replace(BULLET, '')))
}

/** The name of the message that is quoted. */
const MARK = /^m\d+: /
const SENTENCE_END = /(?<=[.!?。！？؟])\s+|(?<=[。！？])/
const IS_QUESTION = /[?？؟]["'”’)\]]*$/
/** Questions without a question mark. */
const ASKS =
  /^(?:(?:what|which|how|why|who|whose)\b|(?:please\s+)?(?:summari[sz]e|recap|remind me|tell me|show me|explain|describe)\b)/i

/** The sentences of a line that ask nothing. */
function withoutQuestions(line: string): string {
  const sentences = line.split(SENTENCE_END)
  return sentences.filter((sentence) => !IS_QUESTION.test(sentence) && !ASKS.test(sentence)).join(' ')
}

/** The notice of an answer without a model. */
export const OFFLINE_NOTICE =
  'No model is configured (GEMINI_API_KEY is not set): the answer quotes what the assembled context holds on the question.'

/** The beginnings of answers without a model. */
export const FOUND = 'The context holds on this question:'
export const NOTHING = 'No line of the context shares a word with the question.'
export const RECORD = 'What is on record as decided:'

/** True for an answer that was given without a model: it says nothing that was not said before. */
function isOfflineAnswer(text: string): boolean {
  return [FOUND, NOTHING, RECORD].some((beginning) => text.startsWith(beginning))
}

/** The beginning of the assistant's turn that the decisions engine puts next to the query. */
const SUMMARY = /^<conversation_summary>\n([\s\S]*)\n<\/conversation_summary>$/
const RECALL = /^<recent_decisions>\n/

/** The text of the summary that a message of a projection is, whichever engine put it there. */
export function summaryOf(message: Message): string | undefined {
  if (message.role === 'assistant') return SUMMARY.exec(messageText(message))?.[1]
  return readSummary(message)
}

/** True for what an engine shows of decisions next to the query. */
function isRecall(message: Message): boolean {
  return message.role === 'assistant' && RECALL.test(messageText(message))
}
