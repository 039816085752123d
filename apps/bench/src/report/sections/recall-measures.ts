import type { RecallRow } from '../../recall/recall-report.ts'
import { whole } from '../format.ts'
import type { Measure } from '../measure.ts'

/** What is measured on recorded sessions at every request. */
export const RECALL_MEASURES: readonly Measure<RecallRow>[] = [
  {
    name: 'Far re-reference recall, assistant',
    definition:
      'Take every message of the assistant, and of the identifiers in it (paths, symbols, hashes, numbers with units, error codes, quoted names) those that were last seen more than the budget earlier; what a tool read again in between counts as seen. The share of them that stands in the projection which the arm would have sent for that message. A tail of the conversation has about 0 by definition.',
    better: 'more',
    of: ({ assistant }) => assistant.mean,
  },
  {
    name: 'Far re-reference recall, assistant, normalised',
    definition: 'The same, where `empty` is 0 and `full` is 1: (x − empty) ÷ (full − empty).',
    of: ({ assistant }) => assistant.normalized,
  },
  {
    name: 'Far re-reference recall, assistant, against the tail',
    definition: 'The same minus that of `truncate`, on the same sessions.',
    of: ({ assistant }) => assistant.gain,
  },
  {
    name: 'Far re-reference recall, user',
    definition:
      'The same for messages of the user: what a person refers back to, and expects the agent to know when it reads the message.',
    better: 'more',
    of: ({ user }) => user.mean,
  },
  {
    name: 'Tokens for each fact',
    definition:
      'Mean tokens of a projection for each far re-reference that it held, over the requests that had one. Less is cheaper; it says nothing about how many are held.',
    better: 'less',
    of: ({ tokensPerFact }) => tokensPerFact,
    write: whole,
  },
]

/** What tools bring back. Neither way to ask is shown without the other. */
export const REACH_MEASURES: readonly Measure<RecallRow>[] = [
  {
    name: 'reachable@1 by name',
    definition:
      'one call, which asks for the identifier itself, as a model does that has the name before it and needs what was said about it',
    better: 'more',
    of: ({ reached }) => reached.at1,
  },
  {
    name: 'reachable@1 by context',
    definition:
      'one call, by a searcher that gets only words around the identifier in the message that uses it, and never the identifier',
    better: 'more',
    of: ({ reachedByContext }) => reachedByContext?.at1 ?? null,
  },
  {
    name: 'reachable@3 by name',
    definition: 'at most three calls by name',
    better: 'more',
    of: ({ reached }) => reached.at3,
  },
  {
    name: 'reachable@3 by context',
    definition: 'at most three calls by context, each with other words',
    better: 'more',
    of: ({ reachedByContext }) => reachedByContext?.at3 ?? null,
  },
]
