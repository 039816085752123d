import { type ChatModel, findLastUser, messageText } from '@palimpsest/core'
import { type ContextLine, contextLines, FOUND, NOTHING, RECORD } from './context-lines.ts'
import { isAlike, questionWords, subjectOf } from './question-words.ts'

/** The name of what answers without a model. */
export const OFFLINE_MODEL = 'offline'

/** Lines that an answer quotes at most, and characters of each. */
const MAX_LINES = 8
const MAX_CHARACTERS = 400
/** Decisions that are listed when nothing else can be said. */
const MAX_LISTED = 20
/** Words of a question that are looked for. */
const MAX_WORDS = 60

export interface OnRecord {
  /** Decisions on the question, the best first, a line each. */
  readonly found: readonly string[]
  /** Decisions that hold, a line each: the first ones. */
  readonly holding: readonly string[]
  readonly total: number
  /** Quotes for choices that are over. */
  readonly over: readonly { readonly quote: string; readonly note: string }[]
}

/** `subject`: what the question is about; blank when it asks for the whole record. */
export type LookUp = (subject: string, signal: AbortSignal | undefined) => Promise<OnRecord>

const NO_RECORD: OnRecord = { found: [], holding: [], total: 0, over: [] }

/**
 * Answers without a model: decisions that an engine finds on the question, then the lines of the prompt that share the
 * rarest words with it; where there is neither, what is on record. Answers are quotes, and marked as such, so that no reader
 * takes them for a new statement.
 */
export function createOfflineAnswerer(lookUp: LookUp = async () => NO_RECORD): ChatModel {
  return {
    name: OFFLINE_MODEL,
    async chat({ messages, signal }) {
      const last = findLastUser(messages)
      const question = messages[last]
      const asked = question === undefined ? '' : messageText(question)
      const subject = subjectOf(asked)
      const record = await lookUp(subject, signal)
      const lines = contextLines(messages.filter((_, index) => index !== last))
      const quotes = subject === '' ? [] : quotesOn(subject, lines, record)
      const isAboutRecord = subject === '' && questionWords(asked).size > 0
      const content =
        quotes.length > 0
          ? [FOUND, ...quotes].join('\n')
          : [...(isAboutRecord ? [] : [NOTHING]), ...listRecord(lines, record)].join('\n')
      return { message: { role: 'assistant', content: content || NOTHING }, finishReason: 'stop' }
    },
  }
}

function quotesOn(subject: string, lines: readonly ContextLine[], { found, over }: OnRecord): string[] {
  const decided = found.slice(0, MAX_LINES).map((line) => inFull(line, lines))
  const rest = lines.filter(({ text }) => !decided.includes(text))
  const said = rank(rest, [...questionWords(subject)].slice(0, MAX_WORDS)).slice(
    0,
    MAX_LINES - decided.length,
  )
  return [
    ...decided.map(quoted),
    ...said.map(({ text, isDecision }) => quoted(text) + (isDecision ? '' : noteOn(text, over))),
  ]
}

/** The block of decisions in the prompt says more of one: what it was before, and when that changed. */
function inFull(line: string, lines: readonly ContextLine[]): string {
  return lines.find(({ text, isDecision }) => isDecision && text.startsWith(line))?.text ?? line
}

/** All that is decided, as far as there is room. */
function listRecord(lines: readonly ContextLine[], { holding, total }: OnRecord): string[] {
  const shown = lines.filter(({ isDecision }) => isDecision).map(({ text }) => text)
  const all = holding.length > 0 ? holding.map((line) => inFull(line, lines)) : shown
  const listed = all.slice(0, MAX_LISTED)
  if (listed.length === 0) return ['No decision is on record.']
  const more = Math.max(total, all.length) - listed.length
  return [RECORD, ...listed.map(quoted), ...(more > 0 ? [`… and ${more} more; GET /state lists all.`] : [])]
}

/** Says of a quote that what it chose holds no longer. */
function noteOn(text: string, over: OnRecord['over']): string {
  const line = plain(text)
  const last = over.findLast(({ quote }) => {
    const chosen = plain(quote)
    return chosen !== '' && (line.includes(chosen) || chosen.includes(line))
  })
  return last === undefined ? '' : ` (${last.note})`
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

/** The best lines, decisions first, and in their order in the context. */
function rank(lines: readonly ContextLine[], question: readonly string[]): ContextLine[] {
  const alike = new Map<string, readonly string[]>()
  const askedBy = (word: string): readonly string[] => {
    const known = alike.get(word) ?? question.filter((asked) => isAlike(asked, word))
    alike.set(word, known)
    return known
  }
  const hits = lines.map((line) => ({ line, shared: new Set([...line.words].flatMap(askedBy)) }))
  const frequency = new Map<string, number>()
  for (const { shared } of hits)
    for (const word of shared) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const weight = (word: string) => Math.log(1 + lines.length / (frequency.get(word) ?? lines.length))
  return hits
    .map(({ line, shared }) => {
      const score = [...shared].reduce((sum, word) => sum + weight(word), 0)
      return { line, score: line.isDecision ? score * 2 : score }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.line.order - a.line.order)
    .slice(0, MAX_LINES)
    .map(({ line }) => line)
    .sort((a, b) => Number(b.isDecision) - Number(a.isDecision) || a.order - b.order)
}

function quoted(text: string): string {
  const short =
    text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`
  return `> ${short}`
}
