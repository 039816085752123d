import { defineContextEngine } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { createDecisions } from './engine/create-decisions.ts'
import { type DecisionsOptions, decisionsOptionsSchema } from './engine/options.ts'

/**
 * Keeps what was decided, with its sources, where the model sees it; the messages themselves are compacted by any other
 * engine, or into one summary.
 */
export const decisions = defineContextEngine<DecisionsOptions>({
  name: 'decisions',
  apiVersion: 1,
  description: 'Keeps what was decided, with its sources, in front of the model (over any compaction)',
  create: (options, host) =>
    createDecisions(parseOptions(decisionsOptionsSchema(), options, 'decisions'), host),
})

export default decisions
export type * from './candidates/artifact-touch.ts'
export type * from './candidates/candidate.ts'
export type * from './candidates/source-message.ts'
export { countStored, type RecordCounts } from './engine/count-stored.ts'
export type { Embed } from './engine/embedder.ts'
export { readConversationKey } from './engine/open-session.ts'
export { DECISIONS_DEFAULTS, type DecisionsOptions, decisionsOptionsSchema } from './engine/options.ts'
export * from './errors/store-error.ts'
export * from './exchange/index.ts'
export { extractMessage, type ReadMessage } from './extract/extract-message.ts'
export { ENGLISH } from './extract/lexicon/english.ts'
export { CUES, type Cue, type Lexicon } from './extract/lexicon/lexicon.ts'
export { READERS, READING, type ReaderName, type Reading } from './extract/read-sentence.ts'
export { touchesOf } from './extract/touches-of.ts'
export * from './log/decision.ts'
export type * from './log/decision-event.ts'
export { AUTHORITIES, CATEGORIES } from './log/decision-event.ts'
export { createDecisionLedger, type DecisionLedger } from './log/decision-ledger.ts'
export type * from './log/source.ts'
export { createMemoryDecisionStore } from './memory/create-memory-store.ts'
export { l1Text } from './render/l1-clauses.ts'
export { cardinalityOf, sameValue, slotOfValue } from './slots/slots.ts'
export type * from './store/decision-store.ts'
export { type DecisionFault, type DecisionVerification, verifyDecisions } from './verify/verify-decisions.ts'
