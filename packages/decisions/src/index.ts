import { defineContextEngine } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { createSqliteStore } from '@palimpsest/store'
import { createDecisions } from './engine/create-decisions.ts'
import { type DecisionsOptions, decisionsOptionsSchema } from './engine/options.ts'

/** Keeps decisions with their sources in the model's view. Another engine, or one summary, compacts the messages. */
export const decisions = defineContextEngine<DecisionsOptions>({
  name: 'decisions',
  apiVersion: 1,
  description:
    'Keeps what was decided, with its sources, in front of the model (over any compaction; needs a model)',
  store: () => createSqliteStore({ path: ':memory:' }),
  create: (options, host) =>
    createDecisions(parseOptions(decisionsOptionsSchema(), options, 'decisions'), host),
})

export default decisions
export type { RecordCounts } from './engine/create-decisions.ts'
export { DECISIONS_DEFAULTS, type DecisionsOptions, decisionsOptionsSchema } from './engine/options.ts'
export { REFUSALS, type Refusal, type RefusalCounts } from './extract/candidate.ts'
export * from './log/decision.ts'
export type * from './log/decision-event.ts'
export { AUTHORITIES, CATEGORIES, decisionScope, KINDS, readEvents } from './log/decision-event.ts'
export { createDecisionLedger, type DecisionLedger } from './log/ledger.ts'
export type { Source, SourceMessage } from './log/source.ts'
export { toMarkdown } from './markdown.ts'
export { headline } from './render/entries.ts'
