import { type ChatModel, findLastUser, isInstruction, type Message, messageText } from '@palimpsest/core'
import { isRecall, summaryOf } from '../conversations/engine-notes.ts'
import { questionWords } from './question-words.ts'

/** Lines that an answer quotes at most, and characters of each. */
const MAX_LINES = 8
const MAX_CHARACTERS = 400
/** Lines of the context that are looked at, the latest first. */
const MAX_SCANNED = 20_000

/** What a service says of its answers when no model gives them. */
export const OFFLINE_NOTICE =
  'No model is configured (GEMINI_API_KEY is not set): the answer quotes what the assembled context holds on the question.'

const FOUND = 'The context holds on this question:'
const NOTHING = 'The context holds nothing on this question.'

/** Finds decisions on a question, the best first, a line each. */
export type LookUp = (question: string, signal: AbortSignal | undefined) => Promise<readonly string[]>

/**
 * Answers without a model: decisions that an engine finds on the question, then the lines of the prompt that share the
 * rarest words with it. Answers are quotes, and marked as such, so that nobody takes them for a new statement.
 */
export function createOfflineAnswerer(lookUp: LookUp = async () => []): ChatModel {
  return {
    name: 'offline',
    async chat({ messages, signal }) {
      const last = findLastUser(messages)
      const question = messages[last]
      const asked = question === undefined ? '' : messageText(question)
      const lines = linesOf(messages.filter((_, index) => index !== last))
      // The block of decisions in the prompt says more of one: what it was before, and when that changed.
      const found = (await lookUp(asked, signal)).slice(0, MAX_LINES)
      const decided = found.map(
        (line) => lines.find(({ text, isDecision }) => isDecision && text.startsWith(line))?.text ?? line,
      )
      const rest = lines.filter(({ text }) => !decided.includes(text))
      const said = rank(rest, questionWords(asked)).slice(0, MAX_LINES - decided.length)
      const quotes = [...decided, ...said.map(({ text }) => text)].map((text) => `> ${shorten(text)}`)
      const content = quotes.length === 0 ? NOTHING : [FOUND, ...quotes].join('\n')
      return { message: { role: 'assistant', content }, finishReason: 'stop' }
    },
  }
}

interface Line {
  readonly text: string
  /** Place in the context. */
  readonly order: number
  readonly isDecision: boolean
  readonly words: ReadonlySet<string>
}

/** What stands in a context, without frames, questions and what was answered in this way before. */
function linesOf(messages: readonly Message[]): Line[] {
  const texts = messages.flatMap((message) => {
    const text = messageText(message)
    const isBlock = isInstruction(message) || summaryOf(message) !== undefined || isRecall(message)
    const isOwn = message.role === 'assistant' && (text.startsWith(FOUND) || text === NOTHING)
    return isOwn ? [] : text.split('\n').map((line) => ({ line: line.trim(), isBlock }))
  })
  const lines = new Map<string, Line>()
  let isDecision = false
  for (const [order, { line, isBlock }] of texts.slice(-MAX_SCANNED).entries()) {
    const block = /^<(\/?)\w*decisions>/.exec(line)
    if (block !== null) isDecision = block[1] === ''
    if (block !== null || /^<[^>]*>/.test(line) || /[?？]$/.test(line)) continue
    // Between the entries of a block stand headings, and quotes that are in the conversation too.
    if (isDecision && isBlock && !line.startsWith('- ')) continue
    const text = line.replace(/^[-*•]\s+/, '')
    const words = questionWords(text)
    if (words.size > 0 && !lines.has(text)) lines.set(text, { text, order, isDecision, words })
  }
  return [...lines.values()]
}

/** The best lines, decisions first, and in their order in the context. */
function rank(lines: readonly Line[], question: ReadonlySet<string>): Line[] {
  const frequency = new Map<string, number>()
  for (const { words } of lines)
    for (const word of words) if (question.has(word)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const weight = (word: string) => Math.log(1 + lines.length / (frequency.get(word) ?? lines.length))
  return lines
    .map((line) => {
      const shared = [...question].filter((word) => line.words.has(word))
      const score = shared.reduce((sum, word) => sum + weight(word), 0)
      return { line, score: line.isDecision ? score * 2 : score }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.line.order - a.line.order)
    .slice(0, MAX_LINES)
    .map(({ line }) => line)
    .sort((a, b) => Number(b.isDecision) - Number(a.isDecision) || a.order - b.order)
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`
}
