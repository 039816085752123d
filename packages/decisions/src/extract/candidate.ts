import type { Authority, Statement } from '../log/decision-event.ts'
import type { Span } from '../log/source.ts'

export type Action = 'create' | 'merge' | 'retract'

export interface Candidate {
  readonly action: Action
  readonly statement: Statement
  readonly seq: number | undefined
  readonly quote: string
  readonly proposal?: string
  readonly target?: string
  readonly replaces?: string
}

export interface Proven extends Pick<Candidate, 'action' | 'statement' | 'target' | 'replaces'> {
  readonly span: Span
  readonly proposal?: Span
  readonly authority: Authority
}

/** The reasons for refusing a candidate, for people. */
export const REFUSALS = {
  'unreadable-answer': 'the answer was no JSON',
  malformed: 'entries without the fields that were asked for',
  'too-many': 'more entries than were asked for',
  'quote-not-found': 'quotes that are in no message',
  'not-the-users-words': "rules and intentions in the assistant's words",
  pasted: 'decisions in text that the user pasted',
  'bare-answer': 'short answers without the question',
  'not-what-was-asked': 'answers to something that the assistant did not ask last',
  'unknown-target': 'changes of a decision that is not on record or is over',
  'not-theirs-to-end': 'entries in which the assistant ends a decision of the user',
  edited: 'quotes of messages that were edited since',
} as const

export type Refusal = keyof typeof REFUSALS
export type RefusalCounts = Readonly<Partial<Record<Refusal, number>>>
