import { isSummary, type Message, messageText } from '@palimpsest/core'
import type { Candidate } from '../candidates/candidate.ts'
import { partsOf } from './amendments.ts'
import type { Finding } from './finding.ts'
import { offersOf } from './offers.ts'
import { type Amended, readParts } from './read-parts.ts'
import { readRemarks } from './read-remark.ts'
import { type Previous, readReply } from './read-replies.ts'
import { READING } from './read-sentence.ts'
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
  const { said, amendment } = readParts(sentences.flatMap(partsOf), reading, onSentence)
  const { accepted, findings } = reading.asks('replies')
    ? readReply(text, sentences, index, previous, said, reading)
    : { accepted: [], findings: said }
  const plain = [...accepted, ...findings.map((finding) => statement(index, finding, text))]
  const amend: Candidate[] =
    amendment === undefined || asksFor(previous, amendment) ? [] : [amendmentTo(index, amendment)]
  return [...plain, ...amend, ...readRemarks(index, sentences, [...plain, ...amend])].slice(0, MAX_CANDIDATES)
}

/** Whether the assistant asked for what may be meant as an answer: "let's not", "no, 50". */
function asksFor(previous: Previous | undefined, { isPlain }: Amended): boolean {
  return !isPlain && typeof previous?.text === 'string' && /\?\s*$/.test(previous.text.slice(-40))
}

function amendmentTo(index: number, { start, end, value, replaces }: Amended): Candidate {
  const span = { message: index, start, end }
  return { kind: 'amend', span, value, ...(replaces !== undefined && { replaces }) }
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
  const { kind, slot, area, value, reason, start, end, isChange, replaces, isUsualSlot = false } = finding
  const span = spanOf(index, finding)
  if (kind === 'end')
    return { kind: 'retract', span, slot, area, value, ...(reason !== undefined && { reason }) }
  return {
    kind: 'assert',
    span,
    choice: toChoice(finding, text.slice(start, end)),
    isChange,
    ...(replaces !== undefined && { replaces }),
    ...(isUsualSlot && { isUsualSlot }),
  }
}
