import { isSummary, type Message, messageText } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { areAlike } from '../slots/slots.ts'
import { type Clause, clausesOf } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isQuestion } from './moods.ts'
import { offersOf } from './offers.ts'
import { readRemarks } from './read-remark.ts'
import { type Previous, readReply } from './read-replies.ts'
import { READING, readSentence } from './read-sentence.ts'
import { sentencesOf } from './sentences.ts'
import { toChoice } from './to-choice.ts'

/** Candidates of one message; a message with more than that is a document. */
const MAX_CANDIDATES = 32

/** One message of a transcript with what it is understood by. */
export interface ReadMessage {
  /** Index in the transcript. */
  readonly index: number
  /** Redacted. */
  readonly message: Message
  /** For a user's message: the last assistant message with text before it. */
  readonly previous?: Previous
  /** Called before each sentence. What it throws ends the reading, and nothing of the message is taken. */
  readonly onSentence?: () => void
}

/**
 * The candidates of a message, found without a model. Only a user's own words decide: an assistant's are
 * proposals, and tools' results, summaries, instructions and everything that is quoted or pasted say nothing. Linear in the length of the text; at most 32 candidates, each with a span of at most 400 characters;
 * throws only what `onSentence` throws.
 */
export function extractMessage(
  { index, message, previous, onSentence = () => {} }: ReadMessage,
  reading = READING,
): Candidate[] {
  if (typeof message !== 'object' || message === null) return []
  if ((message.role !== 'user' && message.role !== 'assistant') || isSummary(message)) return []
  const text = messageText(message)
  if (text.trim() === '') return []
  if (message.role === 'assistant')
    return offersOf(text, reading, onSentence).map((offer) => proposal(index, offer, text))
  const sentences = sentencesOf(text)
  const clauses = sentences.map((sentence) => {
    onSentence()
    return clausesOf(sentence, reading.lexicon)
  })
  const asks = sentences.findLastIndex(({ shape }, at) => isQuestion(shape, clauses[at]?.at(-1)?.before))
  const said = mergeFindings(
    sentences.flatMap((sentence, at) => {
      onSentence()
      const own = clauses[at]
      return own === undefined || (at < asks && tellsFact(own))
        ? []
        : readSentence(sentence, 'user', reading, own)
    }),
  )
  const { accepted, findings } = reading.asks('replies')
    ? readReply(text, sentences, index, previous, said, reading)
    : { accepted: [], findings: said }
  const plain = [...accepted, ...findings.map((finding) => statement(index, finding, text))]
  return [...plain, ...readRemarks(index, sentences, plain)].slice(0, MAX_CANDIDATES)
}

/** Whether a sentence has no verb of doing: facts come before a question. */
function tellsFact(clauses: readonly Clause[]): boolean {
  return clauses.every(({ signs }) => !/[sUCRDSAN]/.test(signs))
}

function spanOf(index: number, { start, end }: Finding) {
  return { message: index, start, end }
}

function proposal(index: number, finding: Finding, text: string): Candidate {
  const { start, end, isChange, replaces } = finding
  return {
    kind: 'propose',
    span: spanOf(index, finding),
    choice: toChoice(finding, text.slice(start, end)),
    isChange,
    ...(replaces !== undefined && { replaces }),
  }
}

function statement(index: number, finding: Finding, text: string): Candidate {
  const { kind, slot, area, value, reason, start, end, isChange, replaces } = finding
  const span = spanOf(index, finding)
  if (kind === 'end')
    return { kind: 'retract', span, slot, area, value, ...(reason !== undefined && { reason }) }
  return {
    kind: 'assert',
    span,
    choice: toChoice(finding, text.slice(start, end)),
    isChange,
    ...(replaces !== undefined && { replaces }),
  }
}

/** Most characters between "drop Redis" and "Memcached it is" as one thought. */
const MAX_GAP = 80

/**
 * The findings of a turn, with what belongs together as one: something that is dropped directly before another thing takes
 * its place is what that replaces. What is said twice is kept once.
 */
function mergeFindings(findings: readonly Finding[]): Finding[] {
  const merged: Finding[] = []
  for (const finding of findings) {
    const last = merged.at(-1)
    if (last !== undefined && isReplacedBy(last, finding))
      merged[merged.length - 1] = { ...finding, replaces: finding.replaces ?? last.value, isChange: true }
    else if (!merged.some((other) => isSame(other, finding))) merged.push(finding)
  }
  return merged
}

function isReplacedBy(old: Finding, next: Finding): boolean {
  if (old.kind !== 'end' || next.kind !== 'choice' || old.value === '' || next.start - old.end > MAX_GAP)
    return false
  const slots = findTechnologies(old.value)[0]?.technology.slots ?? []
  return slots.includes(next.slot) || areAlike(old.slot, next.slot)
}

function isSame(a: Finding, b: Finding): boolean {
  return a.kind === b.kind && a.slot === b.slot && a.area === b.area && a.value === b.value
}
