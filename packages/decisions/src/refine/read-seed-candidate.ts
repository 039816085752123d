import { extractIdentifiers } from '@palimpsest/extractive'
import type { Candidate, CandidateChoice, Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { factSlot } from './candidate-slot.ts'
import { findSpan } from './find-span.ts'
import type { ModelCandidate } from './model-candidate.ts'
import type { CandidateInput } from './read-default-candidate.ts'
import type { RejectionCode } from './rejection.ts'

const MAX_ENTITIES = 12

/**
 * A candidate of the described system: a fact in the model's own words, L0 and L1. Where its quote stands nowhere, the user's
 * message of its turn is its source; which turn that is, a model that names no message leaves to the last one.
 */
export function readSeedCandidate(
  said: ModelCandidate,
  { messages }: CandidateInput,
): Candidate | RejectionCode {
  const l0 = said.l0?.trim() ?? ''
  if (l0 === '') return 'malformed-candidate'
  const named = said.message === undefined ? undefined : messages.get(said.message)
  const quoted = named && said.quote ? findSpan(named, said.quote) : undefined
  const span = quoted ?? userSpan(named, messages)
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
  if (quoted && named?.role !== 'user') return { kind: 'propose', span, choice, isChange: false }
  return { kind: 'assert', span, choice, authority: 'stated', isChange: false }
}

function userSpan(named: SourceMessage | undefined, messages: CandidateInput['messages']): Span | undefined {
  const users = [...messages.values()].filter(({ role }) => role === 'user')
  const found = users.find(({ turn }) => turn === named?.turn) ?? users.at(-1)
  return found && { message: found.message, start: 0, end: found.text.length }
}
