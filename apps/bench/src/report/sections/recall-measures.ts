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
    name: 'Reachable recall@1',
    definition:
      'Far re-references of both roles that are in the projection, or in the answer of one call of the arm’s tools. The call is scripted and asks for the identifier by its name, as a model does that has the name before it and needs what was said about it; what an answer repeats of the query does not count. Arms without tools have their recall.',
    better: 'more',
    of: ({ reached }) => reached.at1,
  },
  {
    name: 'Reachable recall@3',
    definition: 'The same with at most three calls.',
    better: 'more',
    of: ({ reached }) => reached.at3,
  },
  {
    name: 'Reachable by context@1',
    definition:
      'The same where the searcher gets only words around the identifier in the message that uses it, and never the identifier: harder than what a model has to do that knows what it is looking for.',
    better: 'more',
    of: ({ reachedByContext }) => reachedByContext?.at1 ?? null,
  },
  {
    name: 'Reachable by context@3',
    definition: 'The same with at most three calls.',
    better: 'more',
    of: ({ reachedByContext }) => reachedByContext?.at3 ?? null,
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
