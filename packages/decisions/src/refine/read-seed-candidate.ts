import type { Candidate, CandidateChoice, Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { readQuote } from '../quotes/read-quote.ts'
import { wordsOf } from '../resolve/near-text.ts'
import { factSlot } from './candidate-slot.ts'
import type { ModelCandidate } from './model-candidate.ts'
import type { CandidateInput } from './read-default-candidate.ts'
import type { RejectionCode } from './rejection.ts'
import { sourceWords } from './source-words.ts'

const MAX_ENTITIES = 12

/**
 * A candidate of the described system: a fact in the model's own words, L0 and L1. A user's clause that says so makes it
 * stated. Without a quote that stands in its message it is a proposal of the assistant's, if the assistant's message of its
 * turn has all of its words; a model that names no message means the last turn.
 */
export function readSeedCandidate(
  said: ModelCandidate,
  { messages }: CandidateInput,
): Candidate | RejectionCode {
  const l0 = said.l0?.trim() ?? ''
  if (l0 === '') return 'malformed-candidate'
  const named = said.message === undefined ? undefined : messages.get(said.message)
  const quoted = named && said.quote ? readQuote(named, said.quote) : undefined
  const span =
    named && quoted
      ? { message: named.message, start: quoted.start, end: quoted.end }
      : assistantSpan(l0, named, messages)
  if (span === undefined) return 'quote-not-found'
  const choice: CandidateChoice = {
    slot: factSlot(l0),
    area: '',
    choice: l0,
    category: said.category,
    cardinality: 'many',
    l0,
    ...(said.l1 !== undefined && { l1: said.l1 }),
    entities: extractIdentifiers(`${l0}\n${said.l1 ?? ''}`)
      .map(({ text }) => text)
      .slice(0, MAX_ENTITIES),
  }
  if (named?.role === 'user' && quoted?.saying === 'stated')
    return { kind: 'assert', span, choice, isChange: false }
  return { kind: 'propose', span, choice, isChange: false }
}

/** The assistant's message of a turn that has all words of a line. */
function assistantSpan(
  l0: string,
  named: SourceMessage | undefined,
  messages: CandidateInput['messages'],
): Span | undefined {
  const all = [...messages.values()]
  const turn = named?.turn ?? all.at(-1)?.turn
  const words = [...wordsOf(l0).words]
  const found = all.find(
    (message) =>
      message.turn === turn &&
      message.role === 'assistant' &&
      words.length > 0 &&
      words.every(sourceWords(message).says),
  )
  return found && { message: found.message, start: 0, end: found.text.length }
}
