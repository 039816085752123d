import type { Candidate, CandidateChoice, Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { toChoice } from '../extract/to-choice.ts'
import type { DecisionSet } from '../log/decision.ts'
import { normalValue } from '../log/normal-text.ts'
import { namesValue } from '../quotes/mentions.ts'
import { readQuote, type Saying } from '../quotes/read-quote.ts'
import { refuses, saysOver } from '../quotes/refusals.ts'
import { cardinalityOf } from '../slots/slots.ts'
import { candidateSlot } from './candidate-slot.ts'
import type { ModelCandidate } from './model-candidate.ts'
import type { RejectionCode } from './rejection.ts'
import { sourceWords } from './source-words.ts'

/** Longest value that is made of a quote, in characters. */
const VALUE_CHARACTERS = 300

/** The messages and decisions that candidates of a model are checked against. */
export interface CandidateInput {
  /** The messages that the model was shown, by index. */
  readonly messages: ReadonlyMap<number, SourceMessage>
  readonly decisions: DecisionSet
}

/**
 * A model's candidate that is proved by what was said: its quote stands in the message that it names, the clause around the
 * quote names its value and says so, and the message has every name and number of its line. The clause is the source, and the
 * line is built from it: no text of the model's gets into the log. Who said it decides what it is worth: a user states,
 * an assistant proposes; a user's question or guess is a proposal too.
 */
export function readDefaultCandidate(said: ModelCandidate, input: CandidateInput): Candidate | RejectionCode {
  const message = messageOf(said.message, said.quote, input)
  if (typeof message === 'string') return message
  if (message.role === 'user' && said.kind === 'retract') return readRetraction(said, message, input)
  if (message.role === 'user' && said.kind === 'accept') return readAcceptance(said, message, input)
  // Only the user accepts and withdraws.
  if (said.kind === 'retract' || said.kind === 'accept') return 'wrong-speaker'
  const found = readChoice(said, message, said.quote ?? '', input)
  if (typeof found === 'string') return found
  const { span, choice, saying } = found
  const isUsers = message.role === 'user'
  if (isUsers && saying === 'foreign') return 'not-stated'
  const replaces = replacedValue(said, message)
  // A model's word that something changes counts only with the old value in the text.
  const change = { isChange: replaces !== undefined, ...(replaces !== undefined && { replaces }) }
  if (!isUsers || saying !== 'stated') return { kind: 'propose', span, choice, ...change }
  return { kind: 'assert', span, choice, ...change }
}

interface FoundChoice {
  readonly choice: CandidateChoice
  readonly span: Span
  readonly saying: Saying
}

/** The message that a candidate quotes. */
function messageOf(
  index: number | undefined,
  quote: string | undefined,
  { messages }: CandidateInput,
): SourceMessage | RejectionCode {
  if (index === undefined || quote === undefined) return 'malformed-candidate'
  return messages.get(index) ?? 'unknown-message'
}

function readChoice(
  said: ModelCandidate,
  message: SourceMessage,
  quote: string,
  { decisions }: CandidateInput,
): FoundChoice | RejectionCode {
  const { category, area = '', l0, reason = '' } = said
  const value =
    said.choice?.trim() || (category === 'decisions' ? '' : cutWords(quote.trim(), VALUE_CHARACTERS))
  if (value === '') return quote.trim() === '' ? 'quote-not-found' : 'malformed-candidate'
  const slot = candidateSlot(said, value, decisions)
  const found = readQuote(message, quote, { slot, choice: value })
  if (found === undefined) return 'quote-not-found'
  if (found.saying === 'unnamed') return 'not-in-source'
  if (found.saying === 'refused') return 'not-stated'
  const words = sourceWords(message)
  if (!words.backs(`${l0 ?? ''} ; ${reason}`)) return 'not-in-source'
  // Without its area a choice would be one for the whole project.
  if (area.trim() !== '' && !words.says(area)) return 'not-in-source'
  const built = toChoice({ slot, value, area, ...(words.says(reason) && { reason }) }, found.text)
  const cardinality = slot.startsWith('fact:') ? 'many' : cardinalityOf(slot)
  return {
    choice: { ...built, category, cardinality },
    span: { message: message.message, start: found.start, end: found.end },
    saying: found.saying,
  }
}

function readRetraction(
  said: ModelCandidate,
  message: SourceMessage,
  { decisions }: CandidateInput,
): Candidate | RejectionCode {
  const { choice: value = '', area = '', reason = '', quote = '' } = said
  // A whole slot is too much to end on a model's word.
  if (value.trim() === '') return 'malformed-candidate'
  const slot = said.slot === undefined || said.slot === '' ? '' : candidateSlot(said, value, decisions)
  const words = sourceWords(message)
  const found = readQuote(message, quote)
  if (found === undefined) return 'quote-not-found'
  if (!namesValue(found.text, { slot, choice: value }) || (area.trim() !== '' && !words.says(area)))
    return 'not-in-source'
  if (found.saying !== 'stated' || !saysOver(normalValue(found.text))) return 'not-stated'
  return {
    kind: 'retract',
    span: { message: message.message, start: found.start, end: found.end },
    slot,
    area,
    value,
    ...(words.says(reason) && { reason }),
  }
}

function readAcceptance(
  said: ModelCandidate,
  message: SourceMessage,
  input: CandidateInput,
): Candidate | RejectionCode {
  const taken = readQuote(message, said.quote ?? '')
  if (taken === undefined) return 'quote-not-found'
  if (taken.saying !== 'stated' || refuses(normalValue(taken.text))) return 'not-stated'
  const proposer = messageOf(said.proposal_message, said.proposal_quote, input)
  if (typeof proposer === 'string') return proposer
  if (proposer.role !== 'assistant' || proposer.message > message.message) return 'wrong-speaker'
  const proposal = readChoice(said, proposer, said.proposal_quote ?? '', input)
  if (typeof proposal === 'string') return proposal
  const span = { message: message.message, start: taken.start, end: taken.end }
  return { kind: 'accept', span, choices: [proposal.choice], proposals: [proposal.span], isChange: false }
}

/** The old value, when the message names it. */
function replacedValue(
  { change, replaces = '' }: ModelCandidate,
  message: SourceMessage,
): string | undefined {
  return change === true && sourceWords(message).says(replaces) ? replaces : undefined
}

/** The whole words of a text that `max` characters hold. */
function cutWords(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/(?<!\S)\S*$/u, '')
        .trim()
}
