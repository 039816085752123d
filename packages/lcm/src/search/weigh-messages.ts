import { sliceCharacters } from '@palimpsest/core'
import type { MessageCandidate, SearchTerm } from '../store/candidate-query.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import { createTermFinder, type Span, type TermFinder } from './find-term.ts'
import { passageCandidates } from './passage-candidates.ts'
import type { QuestionTerm } from './question-terms.ts'
import type { ReadMessages } from './read-once.ts'

/** BM25 as Robertson and Zaragoza (2009) give it, with the usual parameters. */
const K1 = 1.2
const B = 0.75
/** A question of so many terms does not stand in a message by chance. */
const ECHO_TERMS = 3

/** A message, and its passages that hold a term, the best first. */
export interface WeighedMessage {
  readonly message: MessageCandidate
  readonly passages: readonly (Span & { readonly score: number })[]
}

export interface WeighInput {
  readonly ranges: readonly SeqRange[]
  /** The query as it was asked: a message of a model or a tool that repeats it answers nothing. */
  readonly asked: string
  readonly accepts?: (message: MessageCandidate) => boolean
  readonly includeReplaced?: boolean
  /** Changes the text of a message before it is cut, such as hiding secrets. Default: nothing. */
  readonly read?: (text: string) => string
}

/** Messages that hold any of some terms, with the worth of their passages by the rarity and number of the terms in them. */
export async function weighMessages(
  readMessages: ReadMessages,
  terms: readonly QuestionTerm[],
  { ranges, asked, accepts = () => true, includeReplaced = false, read }: WeighInput,
): Promise<{ readonly messages: readonly WeighedMessage[]; readonly isWhole: boolean }> {
  const found = new Map<number, MessageCandidate>()
  // The word itself weighs more than others that begin like it, and is not lost among them.
  const wanted = [
    ...terms.map(({ exact: _, ...term }): SearchTerm => term),
    ...terms.flatMap(({ exact }): SearchTerm[] =>
      exact === undefined ? [] : [{ kind: 'word', text: exact }],
    ),
  ]
  const held = wanted.map((term) => ({ term, frequency: 0, isThere: false }))
  let isWhole = true
  for (const range of ranges) {
    const part = await passageCandidates(readMessages, { terms, wanted, range, includeReplaced })
    for (const message of part.messages) found.set(message.seq, message)
    for (const [index, term] of held.entries()) {
      const { frequency = 0, isFull = false } = part.samples[index] ?? {}
      term.frequency += frequency
      term.isThere ||= isFull || frequency > 0
    }
    isWhole &&= part.isWhole
  }
  const size = ranges.reduce((sum, { first, last }) => sum + Math.max(0, last - first + 1), 0)
  const weighed = held
    .filter(({ isThere }) => isThere)
    .map(({ term, frequency }) => ({
      find: createTermFinder(term),
      weight: inverseFrequency(frequency, size),
    }))
  // An echo of the question holds all of its terms.
  const mayEcho = weighed.length === held.length
  const messages = [...found.values()]
    .filter((message) => accepts(message) && !(mayEcho && isEcho(message, asked, terms)))
    .map((message) => (read === undefined ? message : { ...message, text: read(message.text) }))
    .map((message) => ({ message, passages: weighPassages(message.text, weighed) }))
  return { messages: messages.filter(({ passages }) => passages.length > 0), isWhole }
}

function inverseFrequency(frequency: number, size: number): number {
  return Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5))
}

/** An earlier call of a tool with this question, or what it returned: it shares every word and answers nothing. */
function isEcho({ role, text }: MessageCandidate, question: string, terms: readonly SearchTerm[]): boolean {
  if (terms.length < ECHO_TERMS || (role !== 'assistant' && role !== 'tool')) return false
  return text.toLowerCase().includes(question.toLowerCase())
}

function weighPassages(
  text: string,
  terms: readonly { readonly find: TermFinder; readonly weight: number }[],
): WeighedMessage['passages'] {
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
    .map((span, index) => ({ ...span, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

/** Occurrences of a term in a message that are counted from its beginning on. */
const COUNTED_OCCURRENCES = 500
/** Passages behind them that are looked at, because a rarer term stands there. */
const LATER_PASSAGES = 100

/**
 * Counts each term in each passage of a text, by the numbers of passages. A term that fills the text is
 * counted at its beginning, and wherever one stands that does not.
 */
function countPerPassage(
  text: string,
  passages: readonly Span[],
  finders: readonly TermFinder[],
): readonly ReadonlyMap<number, number>[] {
  const counted = finders.map((find) => countFromStart(text, passages, find))
  const rare = new Set<number>()
  for (const { counts, cut } of counted) {
    if (cut !== null) continue
    for (const passage of counts.keys()) if (rare.size < LATER_PASSAGES) rare.add(passage)
  }
  for (const [index, { counts, cut }] of counted.entries()) {
    const find = finders[index]
    if (cut === null || find === undefined) continue
    for (const passage of rare) {
      const span = passages[passage]
      if (passage < cut || span === undefined) continue
      const count = countWithin(text, span, find)
      if (count > 0) counts.set(passage, count)
    }
  }
  return counted.map(({ counts }) => counts)
}

/** `cut`: the passage in which counting ended; null when it went through the whole text. */
function countFromStart(text: string, passages: readonly Span[], find: TermFinder) {
  const counts = new Map<number, number>()
  let passage = 0
  let seen = 0
  for (let at = find(text, 0); at !== null; at = find(text, at.end)) {
    if (seen++ === COUNTED_OCCURRENCES) return { counts, cut: passage }
    while (at.start >= (passages[passage]?.end ?? Number.POSITIVE_INFINITY)) passage++
    counts.set(passage, (counts.get(passage) ?? 0) + 1)
  }
  return { counts, cut: null }
}

/** Occurrences that begin in a passage. */
function countWithin(text: string, { start, end }: Span, find: TermFinder): number {
  // A little more than the passage, so that the ends of words at its edges are seen.
  const before = Math.max(0, start - 2)
  const part = text.slice(before, end + 200)
  let count = 0
  for (let at = find(part, start - before); at !== null && at.start < end - before; at = find(part, at.end))
    count++
  return count
}

/** Characters of a passage at most. */
export const PASSAGE_CHARACTERS = 800

/** Cuts a text into passages: at the end of a line if one ends in the second half, else at a space, else anywhere. */
export function splitPassages(text: string): readonly Span[] {
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
  const least = start + PASSAGE_CHARACTERS / 2
  for (const separator of ['\n', ' ']) {
    const at = text.lastIndexOf(separator, most - 1)
    if (at >= least) return at + 1
  }
  return start + sliceCharacters(text, start, most).length
}
