import { type ChatModel, findLastUser, type Message, messageText } from '@palimpsest/core'

export const OFFLINE_MODEL = 'offline'

export const OFFLINE_NOTICE =
  'No model is configured (GEMINI_API_KEY is not set): the answer quotes what the assembled context holds on the question.'

const FOUND = 'The context holds on this question:'
const NOTHING = 'No line of the context shares a word with the question.'

const MAX_LINES = 8
const MAX_CHARACTERS = 400

/** Quotes the lines of the prompt that share the rarest words with the question. */
export function createOfflineAnswerer(): ChatModel {
  return {
    name: OFFLINE_MODEL,
    async chat({ messages }) {
      const last = findLastUser(messages)
      const question = messages[last]
      const asked = wordsOf(question === undefined ? '' : messageText(question))
      const lines = [...new Set(messages.filter((_, index) => index !== last).flatMap(linesOf))]
      const quotes = bestLines(lines, [...asked]).map(quoted)
      const content = quotes.length === 0 ? NOTHING : [FOUND, ...quotes].join('\n')
      return { message: { role: 'assistant', content }, finishReason: 'stop' }
    },
  }
}

const BULLET = /^(?:[-*•]|m\d+:)\s+/
const NO_STATEMENT = /^[<#[]|\b(?:lcm|decisions)_[a-z]+/
const QUESTION = /[?？؟]["'”’)\]]*$/

function linesOf(message: Message): string[] {
  const text = messageText(message)
  if (message.role === 'assistant' && (text.startsWith(FOUND) || text.startsWith(NOTHING))) return []
  return text
    .split('\n')
    .map((line) => line.trim().replace(BULLET, ''))
    .filter((line) => line !== '' && !NO_STATEMENT.test(line) && !QUESTION.test(line))
}

function bestLines(lines: readonly string[], asked: readonly string[]): string[] {
  const shared = lines.map((line) => {
    const words = [...wordsOf(line)]
    return asked.filter((word) => words.some((other) => isAlike(word, other)))
  })
  const frequency = new Map<string, number>()
  for (const word of shared.flat()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const weight = (word: string) => Math.log(1 + lines.length / (frequency.get(word) ?? 1))
  return lines
    .map((line, index) => ({
      ...{ line, index },
      score: (shared[index] ?? []).reduce((sum, word) => sum + weight(word), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.index - a.index)
    .slice(0, MAX_LINES)
    .sort((a, b) => a.index - b.index)
    .map(({ line }) => line)
}

const COMMON: ReadonlySet<string> = new Set(
  (
    'the an of to in on for and or is are was were do does did we our us you your it its this that these those what ' +
    'which who how why when where with at by from be as not can should would will about use used have has had me my'
  ).split(' '),
)
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    if (!UNSPACED.test(word)) {
      if (word.length > 1 && !COMMON.has(word)) words.add(word)
      continue
    }
    const characters = Array.from(word)
    for (const [index, character] of characters.entries())
      words.add(character + (characters[index + 1] ?? ''))
  }
  return words
}

const LEAST_STEM = 4

function isAlike(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return (
    short.length >= LEAST_STEM && !/\p{N}/u.test(short) && !UNSPACED.test(short) && long.startsWith(short)
  )
}

function quoted(text: string): string {
  return `> ${text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`}`
}
