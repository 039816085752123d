import { InvalidOptionError } from '@palimpsest/core'
import type { MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import { countPerPassage } from './count-per-passage.ts'
import { createTermFinder, type TermFinder } from './find-term.ts'
import { checkQuery } from './parse-query.ts'
import { passageCandidates } from './passage-candidates.ts'
import { questionTerms } from './question-terms.ts'
import { PASSAGE_CHARACTERS, splitPassages } from './split-passages.ts'

/** A part of a message that may hold the answer to a question. */
export interface Passage {
  readonly seq: number
  readonly role: string
  readonly at: number
  /** At most 800 characters. */
  readonly text: string
  readonly score: number
}

/** Passages in the order of their worth, and how they were found. */
export interface RankedPassages {
  /** The best first. Empty when no message holds a word of the question. */
  readonly passages: readonly Passage[]
  /** What was looked for. */
  readonly terms: readonly string[]
  /** Messages that hold a term and were weighed. */
  readonly candidates: number
}

/** BM25 as Robertson and Zaragoza (2009) give it, with the usual parameters. */
const K1 = 1.2
const B = 0.75
/** Passages of one message at most, so that one long message does not fill the answer. */
const PASSAGES_PER_MESSAGE = 2
/** A question of so many terms does not stand in a message by chance. */
const ECHO_TERMS = 3

/**
 * The passages of some ranges of messages that answer a question best, by the rarity and number of the words that they
 * share with it. Same session, same question, same passages.
 *
 * @throws InvalidOptionError when there is no word in the question.
 */
export async function rankPassages(
  session: LcmSession,
  question: string,
  {
    ranges,
    limit,
    read = (text) => text,
  }: {
    readonly ranges: readonly SeqRange[]
    readonly limit: number
    /** What is done to the text of a message before it is cut, such as hiding secrets. Default: nothing. */
    readonly read?: (text: string) => string
  },
): Promise<RankedPassages> {
  const asked = checkQuery(question).trim()
  const terms = questionTerms(asked)
  if (terms.length === 0)
    throw new InvalidOptionError('question', 'there is no word in the question to look for')
  const found = new Map<number, MessageCandidate>()
  // The word itself weighs more than others that begin like it, and is not lost among them.
  const wanted = terms.flatMap(({ exact, ...term }): SearchTerm[] =>
    exact === undefined ? [term] : [term, { kind: 'word', text: exact }],
  )
  const frequencies = wanted.map(() => 0)
  for (const range of ranges) {
    const part = await passageCandidates(session, wanted, range)
    for (const message of part.messages) found.set(message.seq, message)
    for (const [index, count] of part.frequencies.entries())
      frequencies[index] = (frequencies[index] ?? 0) + count
  }
  const size = ranges.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0)
  const weighed = wanted.map((term, index) => ({
    find: createTermFinder(term),
    weight: inverseFrequency(frequencies[index] ?? 0, size),
  }))
  const messages = [...found.values()].filter((message) => !isEcho(message, asked, terms))
  const ranked = messages.map((message) => scorePassages({ ...message, text: read(message.text) }, weighed))
  const passages = ranked
    .flat()
    .sort((a, b) => b.score - a.score || b.seq - a.seq || (a.text < b.text ? -1 : 1))
    .slice(0, limit)
  return {
    passages,
    terms: terms.map(({ kind, text }) => (kind === 'prefix' ? `${text}*` : text)),
    candidates: ranked.filter((list) => list.length > 0).length,
  }
}

function inverseFrequency(frequency: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5))
}

/** An earlier call of a tool with this question, or what it returned: it shares every word and answers nothing. */
function isEcho({ role, text }: MessageCandidate, question: string, terms: readonly SearchTerm[]): boolean {
  if (terms.length < ECHO_TERMS || (role !== 'assistant' && role !== 'tool')) return false
  return text.toLowerCase().includes(question.toLowerCase())
}

function scorePassages(
  { seq, role, at, text }: MessageCandidate,
  terms: readonly { readonly find: TermFinder; readonly weight: number }[],
): Passage[] {
  const spans = splitPassages(text)
  const scores = spans.map(() => 0)
  const counts = countPerPassage(
    text,
    spans,
    terms.map(({ find }) => find),
  )
  for (const [term, { weight }] of terms.entries()) {
    for (const [index, count] of counts[term] ?? []) {
      const span = spans[index]
      if (span === undefined) continue
      const length = 1 - B + (B * (span.end - span.start)) / PASSAGE_CHARACTERS
      scores[index] = (scores[index] ?? 0) + (weight * count * (K1 + 1)) / (count + K1 * length)
    }
  }
  return spans
    .map(({ start, end }, index) => ({
      seq,
      role,
      at,
      text: text.slice(start, end).trim(),
      score: scores[index] ?? 0,
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, PASSAGES_PER_MESSAGE)
}
