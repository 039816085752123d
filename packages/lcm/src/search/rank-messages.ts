import { InvalidOptionError, sliceCharacters } from '@palimpsest/core'
import type { CandidateQuery, MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { createTermsMatcher } from './match-terms.ts'
import type { TextMatch } from './matcher.ts'
import { checkQuery, distinctTerms, parseQuery } from './parse-query.ts'
import { type QuestionTerm, questionTerms } from './question-terms.ts'

type ReadMessages = (query: CandidateQuery) => Promise<readonly MessageCandidate[]>

/** Messages that are read for a term, or for two of the rarest terms: the newest. */
const MESSAGES_PER_TERM = 50
const PAIRED_TERMS = 5
/** BM25 as Robertson and Zaragoza (2009) give it, with the usual parameters. */
const K1 = 1.2
const B = 0.75
/** Characters of a passage at most. */
const PASSAGE_CHARACTERS = 800
/** A question of so many terms does not stand in a message by chance. */
const ECHO_TERMS = 3

interface ScoredMessage {
  readonly message: MessageCandidate
  /** Those that hold a term, the best first. */
  readonly passages: readonly (Span & { readonly score: number })[]
}

interface ScoreInput {
  /** The query as it was asked: a message of a model or a tool that repeats it answers nothing. */
  readonly asked: string
  readonly terms: readonly SearchTerm[]
  readonly ranges: readonly SeqRange[]
  readonly includeReplaced?: boolean
  readonly accepts?: (message: MessageCandidate) => boolean
  /** Changes the text of a message before it is cut, such as hiding secrets. */
  readonly hide?: ((text: string) => string) | undefined
}

/**
 * Messages that hold some of the terms, each passage scored by the rarity and the number of those in it; the best first, of
 * equals the newest. `isWhole`: every message with a term is among them.
 */
async function scoreMessages(
  read: ReadMessages,
  { asked, terms, ranges, includeReplaced = false, accepts = () => true, hide }: ScoreInput,
): Promise<{ readonly messages: readonly ScoredMessage[]; readonly isWhole: boolean }> {
  const found = new Map<number, MessageCandidate>()
  const readWith = async (range: SeqRange, ...together: readonly SearchTerm[]) => {
    const where = together.map((term) => [term])
    const query = { where, order: 'newest', limit: MESSAGES_PER_TERM, includeReplaced } as const
    const rows = await read({ ...range, ...query })
    for (const row of rows) found.set(row.seq, row)
    return rows
  }

  const known = terms.map((term) => ({ term, find: createTermFinder(term), frequency: 0 }))
  let size = 0
  let isWhole = true
  for (const range of ranges) {
    size += Math.max(0, range.last - range.first + 1)
    for (const one of known) {
      const rows = await readWith(range, one.term)
      const isCut = rows.length === MESSAGES_PER_TERM
      const span = range.last - (rows.at(-1)?.seq ?? range.last) + 1
      one.frequency += isCut ? (rows.length * (range.last - range.first + 1)) / span : rows.length
      isWhole &&= !isCut
    }
    // Older messages, too, that hold several of the terms.
    const rarest = known
      .filter(({ frequency }) => frequency > 0)
      .sort((one, other) => one.frequency - other.frequency)
      .slice(0, PAIRED_TERMS)
    if (!isWhole)
      for (const [index, one] of rarest.entries())
        for (const other of rarest.slice(index + 1)) await readWith(range, one.term, other.term)
  }
  const weighted = known.map(({ find, frequency }) => ({
    find,
    weight: Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5)),
  }))
  const messages = [...found.values()]
    .filter((message) => accepts(message) && !isEcho(message, asked, terms))
    .map((message) => (hide === undefined ? message : { ...message, text: hide(message.text) }))
    .map((message) => ({ message, passages: scorePassages(message.text, weighted) }))
    .filter(({ passages }) => passages.length > 0)
    .sort((one, other) => scoreOf(other) - scoreOf(one) || other.message.seq - one.message.seq)
  return { messages, isWhole }
}

function scoreOf({ passages }: ScoredMessage): number {
  return passages[0]?.score ?? 0
}

/** An earlier call of a tool with this question, or what it returned: it shares every word and answers nothing. */
function isEcho({ role, text }: MessageCandidate, question: string, terms: readonly SearchTerm[]): boolean {
  if (terms.length < ECHO_TERMS || (role !== 'assistant' && role !== 'tool')) return false
  return text.toLowerCase().includes(question.toLowerCase())
}

function scorePassages(
  text: string,
  terms: readonly { readonly find: TermFinder; readonly weight: number }[],
): ScoredMessage['passages'] {
  return splitPassages(text)
    .map(({ start, end }) => {
      const passage = text.slice(start, end)
      const length = 1 - B + (B * passage.length) / PASSAGE_CHARACTERS
      const score = terms.reduce((sum, { find, weight }) => {
        const count = countIn(passage, find)
        return sum + (weight * count * (K1 + 1)) / (count + K1 * length)
      }, 0)
      return { start, end, score }
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
}

function countIn(text: string, find: TermFinder): number {
  let count = 0
  for (let at = find(text, 0); at !== null; at = find(text, at.end)) count++
  return count
}

/** Cuts a text into passages: at the end of a line if one ends in the second half, else at a space, else anywhere. */
function splitPassages(text: string): readonly Span[] {
  const passages: Span[] = []
  for (let start = 0; start < text.length; ) {
    const end = passageEnd(text, start)
    passages.push({ start, end })
    start = end
  }
  return passages
}

function passageEnd(text: string, start: number): number {
  const most = start + PASSAGE_CHARACTERS
  if (most >= text.length) return text.length
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, most - 1)
    if (at >= start + PASSAGE_CHARACTERS / 2) return at + 1
  }
  return start + sliceCharacters(text, start, most).length
}

export interface RankedMessage {
  readonly row: MessageCandidate
  readonly match: TextMatch
  /** The terms that it holds. */
  readonly terms: readonly string[]
  /** Other messages that show the same passage, which are left out. */
  readonly repeats: number
}

export interface RankInput extends SeqRange, Omit<ScoreInput, 'asked' | 'terms' | 'ranges'> {
  /** Ranks that are wanted, from 0; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

/** Messages that hold some of a query's terms, the best first, those that show the same as one. @throws InvalidOptionError */
export async function rankMessages(
  read: ReadMessages,
  query: string,
  { first, last, start, end, ...input }: RankInput,
): Promise<{ readonly ranked: readonly RankedMessage[]; readonly count: number; readonly isWhole: boolean }> {
  const asked = checkQuery(query).trim()
  const terms = rankedTerms(asked)
  const { messages, isWhole } = await scoreMessages(read, {
    ...input,
    asked,
    terms,
    ranges: [{ first, last }],
  })
  const groups = [...Map.groupBy(messages, (one) => bestPassage(one).text).values()]
  return {
    ranked: groups.slice(start, end).map((same) => toRanked(same, terms)),
    count: groups.length,
    isWhole,
  }
}

/** Phrases in quotation marks and beginnings as they were asked for; of the rest what tells. */
function rankedTerms(query: string): readonly QuestionTerm[] {
  const given = parseQuery(query)
  const asked = given.filter(({ kind, quoted }) => quoted === true || kind === 'prefix')
  const free = given.filter((term) => !asked.includes(term)).map(({ text }) => text)
  return distinctTerms<QuestionTerm>([...asked, ...questionTerms(free.join(' '))])
}

function bestPassage({ message, passages }: ScoredMessage) {
  const { start, end } = passages[0] ?? { start: 0, end: message.text.length }
  return { start, text: message.text.slice(start, end) }
}

function toRanked(same: readonly ScoredMessage[], terms: readonly QuestionTerm[]): RankedMessage {
  const [one] = same as [ScoredMessage]
  const { start, text } = bestPassage(one)
  const standing = (within: string) => terms.filter((term) => createTermFinder(term)(within, 0) !== null)
  const [match] = createTermsMatcher(standing(text)).run([text], 1).matches
  const { count = 0, start: from = 0, end: to = 0 } = match ?? {}
  return {
    row: one.message,
    match: { count, start: start + from, end: start + to },
    terms: standing(one.message.text).map(({ exact, text: term }) => exact ?? term),
    repeats: same.length - 1,
  }
}

function termText({ kind, text }: SearchTerm): string {
  return kind === 'prefix' ? `${text}*` : text
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

/** Passages of one message at most, so that one long message does not fill the answer. */
const PASSAGES_PER_MESSAGE = 2

/**
 * The passages of some ranges of messages that answer a question best.
 *
 * @throws InvalidOptionError when there is no word in the question.
 */
export async function rankPassages(
  session: LcmSession,
  question: string,
  { ranges, limit, hide }: Pick<ScoreInput, 'ranges' | 'hide'> & { readonly limit: number },
): Promise<RankedPassages> {
  const asked = checkQuery(question).trim()
  const terms = questionTerms(asked)
  if (terms.length === 0)
    throw new InvalidOptionError('question', 'there is no word in the question to look for')
  const { messages } = await scoreMessages((query) => session.candidates(query), {
    ...{ asked, terms, ranges, hide },
  })
  const passages = messages
    .flatMap(({ message: { seq, role, at, text }, passages: best }) =>
      best.slice(0, PASSAGES_PER_MESSAGE).map(({ start, end, score }) => {
        return { seq, role, at, text: text.slice(start, end).trim(), score }
      }),
    )
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ score: _, ...passage }) => passage)
  return { passages, terms: terms.map(termText), candidates: messages.length }
}
