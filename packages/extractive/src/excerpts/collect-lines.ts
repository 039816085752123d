import { answeredCalls, type Message, messageText, type Sliced, type ToolCall } from '@palimpsest/core'
import { readInstruction } from '@palimpsest/core/summarizer'
import { analyzeMessage } from '../analyze-message.ts'
import type { ExtractiveInput } from '../extractive-input.ts'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { resultStatus } from '../tools/result-status.ts'
import { ChangedFiles } from './changed-files.ts'
import type { Line } from './choose-lines.ts'
import { type Excerpt, parseExcerpts } from './excerpt.ts'
import { pointersIn, readDocument } from './read-document.ts'

/** Messages of the user behind a document; after more the work is about something else. */
const MOST_BEHIND_DOCUMENT = 3
/** Messages between two places where others may have a turn: asking for it costs as much as looking at a message. */
const STRIDE = 16
/** Lines that name a word of the focus are worth so many times more. */
const FOCUS_WEIGHT = 20

/** Everything that may be quoted. */
export interface CollectedLines {
  readonly users: readonly Line[]
  /** The ticket, plan or other list that the user pointed at, as it was read last. */
  readonly document: Line | undefined
  readonly files: ChangedFiles
  readonly others: readonly Line[]
}

/** Takes the excerpts of an earlier summary and what the messages say behind it, in order. */
export function* collectLines(input: ExtractiveInput): Sliced<CollectedLines> {
  const { messages, visible = [], previousSummary, request, focusTopic } = input
  const previous = parseExcerpts(previousSummary)
  const markOf = input.mark ?? (yield* turnMarks(input, previous))
  const shown = new Set(visible)
  const focus = focusTopic?.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []
  const weightOf = (text: string): number => {
    const lower = focus.length === 0 ? '' : text.toLowerCase()
    return focus.some((word) => lower.includes(word)) ? FOCUS_WEIGHT : 1
  }
  const users: Line[] = []
  const others: Line[] = []
  const files = new ChangedFiles()
  let document: Line | undefined
  let owner: Message | undefined
  const asked = request === undefined ? [] : pointersIn(messageText(request))
  let pointers = asked
  let order = 0
  const take = (excerpt: Excerpt, age: number, names: readonly string[] = []): void => {
    const line = { excerpt, order: order++, names, age, weight: weightOf(excerpt.text) }
    if (excerpt.by === 'document') document = line
    else if (excerpt.by === 'changed' || excerpt.by === 'deleted') files.addLine(excerpt, line.order)
    else if (isHeard(excerpt)) {
      users.push(line)
      const found = pointersIn(excerpt.text)
      if (found.length > 0) pointers = [...asked, ...found]
    } else others.push(line)
  }
  for (const [index, excerpt] of previous.entries()) {
    const names = isHeard(excerpt) ? [] : extractIdentifiers(excerpt.text).map(({ text }) => text)
    take(excerpt, messages.length + previous.length - index, names)
  }
  const hasFailed = failures(messages)
  for (const [index, message] of messages.entries()) {
    if (typeof message !== 'object' || message === null || shown.has(message)) continue
    const [mark, age] = [markOf(index), messages.length - index]
    const by = readInstruction(message) === undefined ? message.role : 'system'
    if (by === 'user' || by === 'system') {
      const { said, question } = analyzeMessage(message, owner)
      if (said !== '') take({ mark, by, text: question === '' ? said : `${said} (to: ${question})` }, age)
    }
    const read = readDocument(message, owner, pointers)
    if (read !== undefined) take({ mark, by: 'document', text: read }, age)
    if (message.role === 'assistant') owner = message
    const { lines, changes } = analyzeMessage(message)
    for (const { by, text, names } of lines) take({ mark, by, text }, age, names)
    for (const { call, path, by } of changes) if (!hasFailed(call)) files.add(path, { mark, by }, order++)
    if (index % STRIDE === 0) yield
  }
  const at = document?.order ?? order
  if (users.filter((line) => line.order > at).length > MOST_BEHIND_DOCUMENT) document = undefined
  return { users, document, files, others }
}

/** Tells whether a call of the messages failed. */
function failures(messages: readonly Message[]): (call: ToolCall) => boolean {
  const sound = messages.filter((message) => typeof message === 'object' && message !== null)
  const results = new Map(Array.from(answeredCalls(sound), ([result, call]) => [call, result]))
  return (call) => {
    const result = results.get(call)
    return result !== undefined && resultStatus(result, call) === 'failed'
  }
}

/** A request of the user's or the host's holds until it is taken back. */
function isHeard({ by }: Excerpt): boolean {
  return by === 'user' || by === 'system'
}

/** Marks by the turns of the session where the memory knows them, else counted on from those of an earlier summary. */
function* turnMarks(
  { messages, memory }: ExtractiveInput,
  previous: readonly Excerpt[],
): Sliced<(index: number) => string> {
  let turn = Math.max(0, ...previous.map(({ mark }) => (mark.startsWith('t') ? Number(mark.slice(1)) : 0)))
  const turns: number[] = []
  for (const [index, message] of messages.entries()) {
    turn = memory?.turnOf(message) ?? (message?.role === 'user' ? turn + 1 : turn)
    turns.push(turn)
    if (index % STRIDE === 0) yield
  }
  return (index) => `t${turns[index]}`
}
