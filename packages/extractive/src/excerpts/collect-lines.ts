import { type Message, messageText } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import type { ExtractiveInput } from '../extractive-input.ts'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { oneLine } from '../text/one-line.ts'
import { ownWords } from '../text/own-words.ts'
import { cutAfter, shorten } from '../text/shorten.ts'
import type { Line } from './choose-lines.ts'
import { type Excerpt, parseExcerpts } from './excerpt.ts'
import { pointersIn, readDocument } from './read-document.ts'

/** Characters of a user's message that are put on one line before it is cut. */
const MOST_OF_USER = 20_000
/** A reply of at most so many characters is quoted with what it answers; a longer one only with a question. */
const MOST_OF_REPLY = 25
const MOST_OF_ANSWER = 160
/** Characters of what it answers that are left. */
const MOST_OF_QUESTION = 120
/** A question further up was asked in passing. */
const MOST_LINES_BEHIND = 5
/** Messages of the user behind a document; after more the work is about something else. */
const MOST_BEHIND_DOCUMENT = 3
/** Lines that name a word of the focus are worth so many times more. */
const FOCUS_WEIGHT = 20

/** Everything that may be quoted. */
export interface CollectedLines {
  readonly users: readonly Line[]
  /** The ticket, plan or other list that the user pointed at, as it was read last. */
  readonly document: Line | undefined
  readonly others: readonly Line[]
}

/** Takes the excerpts of an earlier summary and what the messages say behind it, in order. */
export function collectLines(input: ExtractiveInput): CollectedLines {
  const { messages, visible = [], previousSummary, request, focusTopic } = input
  const previous = parseExcerpts(previousSummary)
  const markOf = input.mark ?? turnMarks(input, previous)
  const shown = new Set(visible)
  const focus = focusTopic?.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []
  const weightOf = (text: string): number => {
    const lower = focus.length === 0 ? '' : text.toLowerCase()
    return focus.some((word) => lower.includes(word)) ? FOCUS_WEIGHT : 1
  }
  const users: Line[] = []
  const others: Line[] = []
  let document: Line | undefined
  let owner: Message | undefined
  const asked = request === undefined ? [] : pointersIn(messageText(request))
  let pointers = asked
  let order = 0
  const take = (excerpt: Excerpt, age: number, names: readonly string[] = []): void => {
    const line = { excerpt, order: order++, names, age, weight: weightOf(excerpt.text) }
    if (excerpt.by === 'document') document = line
    else if (excerpt.by === 'user') {
      users.push(line)
      const found = pointersIn(excerpt.text)
      if (found.length > 0) pointers = [...asked, ...found]
    } else others.push(line)
  }
  for (const [index, excerpt] of previous.entries()) {
    const names = excerpt.by === 'user' ? [] : extractIdentifiers(excerpt.text).map(({ text }) => text)
    take(excerpt, messages.length + previous.length - index, names)
  }
  for (const [index, message] of messages.entries()) {
    if (typeof message !== 'object' || message === null || shown.has(message)) continue
    const [mark, age] = [markOf(index), messages.length - index]
    if (message.role === 'user') {
      const text = oneLine(ownWords(messageText(message)).slice(0, MOST_OF_USER))
      if (text !== '') take({ mark, by: 'user', text: withQuestion(text, owner) }, age)
    }
    const read = readDocument(message, owner, pointers)
    if (read !== undefined) take({ mark, by: 'document', text: read }, age)
    if (message.role === 'assistant') owner = message
    for (const { by, text, names } of analyzeMessage(message).lines) take({ mark, by, text }, age, names)
  }
  const at = document?.order ?? order
  if (users.filter((line) => line.order > at).length > MOST_BEHIND_DOCUMENT) document = undefined
  return { users, document, others }
}

/** A short reply with the end of what it answers: alone it says nothing. */
function withQuestion(text: string, answered: Message | undefined): string {
  if (text.length > MOST_OF_ANSWER || answered === undefined) return text
  const lines = messageText(answered).trimEnd().split('\n')
  const last = lines.at(-1) ?? ''
  const asked = lines.slice(-MOST_LINES_BEHIND).findLast((line) => /[?？]\s*$/.test(line))
  if (asked === undefined && text.length > MOST_OF_REPLY) return text
  const end = asked ?? last
  const sentences = oneLine(end.slice(cutAfter(end, Math.max(0, end.length - 2 * MOST_OF_QUESTION)))).split(
    /(?<=[.!?。！？])\s/,
  )
  const question = shorten(sentences.slice(-2).join(' '), MOST_OF_QUESTION)
  return question === '' ? text : `${text} (to: ${question})`
}

/** Marks by the turns of the session where the memory knows them, else counted on from those of an earlier summary. */
function turnMarks(
  { messages, memory }: ExtractiveInput,
  previous: readonly Excerpt[],
): (index: number) => string {
  let turn = Math.max(0, ...previous.map(({ mark }) => (mark.startsWith('t') ? Number(mark.slice(1)) : 0)))
  const marks = messages.map((message) => {
    turn = memory?.turnOf(message) ?? (message?.role === 'user' ? turn + 1 : turn)
    return `t${turn}`
  })
  return (index) => marks[index] ?? ''
}
