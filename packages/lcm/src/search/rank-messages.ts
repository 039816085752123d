import {
  type Candidate,
  type CandidateQuery,
  InvalidOptionError,
  type SearchTerm,
  type SeqRange,
  type StoredSession,
} from '@palimpsest/core'
import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { createTermsMatcher } from './matcher.ts'
import { checkQuery, distinctTerms, parseQuery } from './parse-query.ts'
import { type QuestionTerm, questionTerms } from './question-terms.ts'
import type { FoundRows } from './run-search.ts'

/** Messages that are read for a term, or for two of the rarest terms: the newest. */
const MESSAGES_PER_TERM = 50
const PAIRED_TERMS = 5
/** BM25 as Robertson and Zaragoza (2009) give it, with the usual parameters. */
const K1 = 1.2
const B = 0.75
/** A part of a text of at most 800 characters, which ends before a space where there is one. */
const PASSAGE = /.{1,800}(?=\s|$)|.{1,800}/gsu
const PASSAGE_CHARACTERS = 800
/** A question of so many terms is in no message by chance. */
const ECHO_TERMS = 3

export interface RankInput {
  readonly ranges: readonly SeqRange[]
  readonly includeReplaced?: boolean
  readonly accepts?: (message: Candidate) => boolean
  /** Changes the text of a message before it is cut, such as hiding secrets. */
  readonly hide?: ((text: string) => string) | undefined
}

interface ScoredMessage {
  readonly message: Candidate
  /** Its passage with the highest score. */
  readonly passage: Span & { readonly score: number; readonly text: string }
}

/**
 * Messages that hold some of the terms, by their best passage, which is scored by the rarity and the number of the terms in it;
 * of equals the newest first. One of those that show the same passage. `isWhole`: every message with a term was looked at.
 */
async function scoreMessages(
  read: (query: CandidateQuery) => Promise<readonly Candidate[]>,
  asked: string,
  terms: readonly SearchTerm[],
  { ranges, includeReplaced = false, accepts = () => true, hide = (text) => text }: RankInput,
): Promise<{ readonly messages: readonly ScoredMessage[]; readonly isWhole: boolean }> {
  const found = new Map<number, Candidate>()
  const readWith = async (range: SeqRange, ...together: readonly SearchTerm[]) => {
    const where = together.map((term) => [term])
    const query = { where, order: 'newest', limit: MESSAGES_PER_TERM, includeReplaced } as const
    const rows = await read({ ...range, ...query })
    for (const row of rows) found.set(row.number, row)
    return rows
  }
  const known = terms.map((term) => ({ term, find: createTermFinder(term), frequency: 0 }))
  const size = ranges.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0)
  let isWhole = true
  for (const range of ranges) {
    for (const one of known) {
      const rows = await readWith(range, one.term)
      const isCut = rows.length === MESSAGES_PER_TERM
      const span = range.last - (rows.at(-1)?.number ?? range.last) + 1
      one.frequency += isCut ? (rows.length * (range.last - range.first + 1)) / span : rows.length
      isWhole &&= !isCut
    }
    if (isWhole) continue
    // Older messages, too, that hold several of the terms.
    const held = known.filter(({ frequency }) => frequency > 0)
    const rarest = held.sort((one, other) => one.frequency - other.frequency).slice(0, PAIRED_TERMS)
    for (const [index, one] of rarest.entries())
      for (const other of rarest.slice(index + 1)) await readWith(range, one.term, other.term)
  }
  const weighted = known.map(({ find, frequency }) => ({
    find,
    weight: Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5)),
  }))
  const messages = [...found.values()]
    .filter((message) => accepts(message) && !isEcho(message, asked, terms))
    .map((message) => ({ message, passage: bestPassage(hide(message.text), weighted) }))
    .filter(({ passage }) => passage.score > 0)
    .sort(
      (one, other) => other.passage.score - one.passage.score || other.message.number - one.message.number,
    )
  const first = new Map(messages.toReversed().map((one) => [one.passage.text, one]))
  return { messages: messages.filter((one) => first.get(one.passage.text) === one), isWhole }
}

/** An earlier call of a tool with this question, or what it returned: it shares every word and answers nothing. */
function isEcho({ role, text }: Candidate, question: string, terms: readonly SearchTerm[]): boolean {
  if (terms.length < ECHO_TERMS || (role !== 'assistant' && role !== 'tool')) return false
  return text.toLowerCase().includes(question.toLowerCase())
}

function bestPassage(
  text: string,
  terms: readonly { readonly find: TermFinder; readonly weight: number }[],
): ScoredMessage['passage'] {
  let best = { start: 0, end: 0, score: 0, text: '' }
  for (const { index: start, 0: passage } of text.matchAll(PASSAGE)) {
    const length = 1 - B + (B * passage.length) / PASSAGE_CHARACTERS
    const score = terms.reduce((sum, { find, weight }) => {
      let count = 0
      for (let at = find(passage, 0); at !== null; at = find(passage, at.end)) count++
      return sum + (weight * count * (K1 + 1)) / (count + K1 * length)
    }, 0)
    if (score > best.score) best = { start, end: start + passage.length, score, text: passage }
  }
  return best
}

/** Messages that hold some of a query's terms, the best first: ranks from `start` to `end`, which is exclusive. @throws InvalidOptionError */
export async function rankMessages(
  read: (query: CandidateQuery) => Promise<readonly Candidate[]>,
  query: string,
  { start, end, ...input }: RankInput & { readonly start: number; readonly end: number },
): Promise<{
  readonly found: FoundRows<Candidate>['found']
  readonly count: number
  readonly isWhole: boolean
}> {
  const asked = checkQuery(query).trim()
  const terms = rankedTerms(asked)
  const { messages, isWhole } = await scoreMessages(read, asked, terms, input)
  const found = messages.slice(start, end).map(({ message, passage }) => {
    const standing = (text: string) => terms.filter((term) => createTermFinder(term)(text, 0) !== null)
    const [match] = createTermsMatcher(standing(passage.text)).run([passage.text], 1).matches
    const { count = 0, start: from = 0, end: to = 0 } = match ?? {}
    return {
      row: message,
      match: { count, start: passage.start + from, end: passage.start + to },
      terms: standing(message.text).map(({ exact, text }) => exact ?? text),
    }
  })
  return { found, count: messages.length, isWhole }
}

/** Phrases in quotation marks and beginnings as they were asked for; of the rest what tells. */
function rankedTerms(query: string): readonly QuestionTerm[] {
  const given = parseQuery(query)
  const asked = given.filter(({ kind, quoted }) => quoted === true || kind === 'prefix')
  const free = given.filter((term) => !asked.includes(term)).map(({ text }) => text)
  return distinctTerms<QuestionTerm>([...asked, ...questionTerms(free.join(' '))])
}

/** A part of a message that may hold the answer to a question. */
export interface Passage {
  readonly seq: number
  readonly role: string
  readonly at: number
  /** At most 800 characters. */
  readonly text: string
}

export interface RankedPassages {
  /** The best first. Empty when no message holds a word of the question. */
  readonly passages: readonly Passage[]
  /** The terms that were looked for. */
  readonly terms: readonly string[]
  /** Messages that hold a term and were scored. */
  readonly candidates: number
}

/** The passages that answer a question best, one of a message. @throws InvalidOptionError when there is no word in the question. */
export async function rankPassages(
  session: StoredSession,
  question: string,
  { limit, ...input }: RankInput & { readonly limit: number },
): Promise<RankedPassages> {
  const asked = checkQuery(question).trim()
  const terms = questionTerms(asked)
  if (terms.length === 0)
    throw new InvalidOptionError('question', 'there is no word in the question to look for')
  const { messages } = await scoreMessages(
    (query) => session.candidates('messages', query),
    asked,
    terms,
    input,
  )
  return {
    passages: messages.slice(0, limit).map(({ message: { number: seq, role, at }, passage }) => {
      return { seq, role, at, text: passage.text.trim() }
    }),
    terms: terms.map(({ kind, text }) => (kind === 'prefix' ? `${text}*` : text)),
    candidates: messages.length,
  }
}
