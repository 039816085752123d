import type { Candidate, CandidateChoice, Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { toChoice } from '../extract/to-choice.ts'
import type { DecisionSet } from '../log/decision-set.ts'
import { cardinalityOf } from '../slots/slots.ts'
import { candidateSlot } from './candidate-slot.ts'
import { findSpan } from './find-span.ts'
import type { ModelCandidate } from './model-candidate.ts'
import type { RejectionCode } from './rejection.ts'
import { sourceWords } from './source-words.ts'

/** What candidates of a model are checked against. */
export interface CandidateInput {
  /** The messages that the model was shown, by index. */
  readonly messages: ReadonlyMap<number, SourceMessage>
  readonly decisions: DecisionSet
}

/**
 * A model's candidate that is proved by what was said: its quote stands in the message that it names, and so do its value and
 * every name and number of its line. Who said it decides what it is worth: a user states, an assistant proposes.
 */
export function readDefaultCandidate(said: ModelCandidate, input: CandidateInput): Candidate | RejectionCode {
  const found = findQuoted(said.message, said.quote, input)
  if (typeof found === 'string') return found
  const { span, message } = found
  if (message.role === 'user' && said.kind === 'retract') return readRetraction(said, found, input)
  if (message.role === 'user' && said.kind === 'accept') return readAcceptance(said, found, input)
  // Somebody else neither accepts nor withdraws for the user.
  if (said.kind === 'retract' || said.kind === 'accept') return 'wrong-speaker'
  const choice = readChoice(said, found, input)
  if (typeof choice === 'string') return choice
  const replaces = replacedValue(said, message)
  // A model's word that something changes counts only with the old value in the text.
  const change = { isChange: replaces !== undefined, ...(replaces !== undefined && { replaces }) }
  if (message.role !== 'user') return { kind: 'propose', span, choice, ...change }
  return { kind: 'assert', span, choice, authority: 'stated', ...change }
}

interface Quoted {
  readonly message: SourceMessage
  readonly span: Span
  readonly quote: string
}

function findQuoted(
  index: number | undefined,
  quote: string | undefined,
  { messages }: CandidateInput,
): Quoted | RejectionCode {
  if (index === undefined || quote === undefined) return 'malformed-candidate'
  const message = messages.get(index)
  if (message === undefined) return 'unknown-message'
  const span = findSpan(message, quote)
  return span ? { message, span, quote: message.text.slice(span.start, span.end) } : 'quote-not-found'
}

function readChoice(
  said: ModelCandidate,
  { message, quote }: Quoted,
  { decisions }: CandidateInput,
): CandidateChoice | RejectionCode {
  const { category, area = '', l0, reason = '' } = said
  const value = said.choice?.trim() || (category === 'decisions' ? '' : quote.slice(0, 300))
  if (value === '') return 'malformed-candidate'
  const words = sourceWords(message)
  if (!words.says(value) || !words.backs(`${l0 ?? ''} ; ${reason}`)) return 'not-in-source'
  // Without its area a choice would be one for the whole project.
  if (area.trim() !== '' && !words.says(area)) return 'not-in-source'
  const slot = candidateSlot(said, value, decisions)
  const built = toChoice({ slot, value, area, ...(words.says(reason) && { reason }) }, quote)
  return {
    ...built,
    category,
    cardinality: slot.startsWith('fact:') ? 'many' : cardinalityOf(slot),
    ...(l0 !== undefined && l0.trim() !== '' && { l0 }),
  }
}

function readRetraction(
  said: ModelCandidate,
  { message, span }: Quoted,
  { decisions }: CandidateInput,
): Candidate | RejectionCode {
  const { choice: value = '', slot = '', area = '', reason = '' } = said
  const words = sourceWords(message)
  // A whole slot is too much to end on a model's word.
  if (value.trim() === '') return 'malformed-candidate'
  if (!words.says(value) || (area.trim() !== '' && !words.says(area))) return 'not-in-source'
  return {
    kind: 'retract',
    span,
    slot: slot === '' ? '' : candidateSlot(said, value, decisions),
    area,
    value,
    ...(words.says(reason) && { reason }),
  }
}

function readAcceptance(
  said: ModelCandidate,
  quoted: Quoted,
  input: CandidateInput,
): Candidate | RejectionCode {
  const proposal = findQuoted(said.proposal_message, said.proposal_quote, input)
  if (typeof proposal === 'string') return proposal
  if (proposal.message.role !== 'assistant' || proposal.message.message > quoted.message.message)
    return 'wrong-speaker'
  const choice = readChoice(said, proposal, input)
  if (typeof choice === 'string') return choice
  return { kind: 'accept', span: quoted.span, choices: [choice], proposals: [proposal.span], isChange: false }
}

/** The old value, when the message names it. */
function replacedValue(
  { change, replaces = '' }: ModelCandidate,
  message: SourceMessage,
): string | undefined {
  return change === true && sourceWords(message).says(replaces) ? replaces : undefined
}
