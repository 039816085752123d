import { defineContextEngine } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { createSqliteStore } from '@palimpsest/store'
import { createLcm } from './engine/create-lcm.ts'
import { type LcmOptions, lcmOptionsSchema } from './engine/options.ts'

/**
 * Lossless context management: every message stays in the session's store, summaries replace older messages in the
 * prompt, and tools read and search everything.
 */
export const lcm = defineContextEngine<LcmOptions>({
  name: 'lcm',
  apiVersion: 1,
  description:
    'Shows older messages as a hierarchy of summaries and keeps all of them within reach (lossless)',
  store: () => createSqliteStore({ path: ':memory:' }),
  create: (options, host) => createLcm(parseOptions(lcmOptionsSchema(), options, 'lcm'), host),
})

export default lcm
export { LCM_DEFAULTS, type LcmOptions, lcmOptionsSchema } from './engine/options.ts'
export { type RewriteInput, rewriteForgotten } from './engine/rewrite-forgotten.ts'
export { type ContextMoment, type ShownContext, showContext } from './engine/show-context.ts'
export { searchMessages } from './search/search-messages.ts'
export {
  type SearchScope,
  type SessionHits,
  type StoreSearchQuery,
  type StoreSearchResult,
  searchSession,
  searchStore,
} from './search/search-store.ts'
export { type SummarySearchResult, searchSummaries } from './search/search-summaries.ts'
export type * from './search/search-types.ts'
export { createLcmTools, type LcmTools } from './tools/create-lcm-tools.ts'
export {
  createLcmStoreTools,
  type LcmStoreTools,
  type LcmStoreToolsOptions,
  type OnToolProgress,
  type ReadableSession,
  type ReadableSessions,
  type SessionsCall,
} from './tools/create-store-tools.ts'
export { expandMessage } from './tools/lcm-expand.ts'
export { messageHits, summaryHits } from './tools/lcm-grep.ts'
export { messageRef, parseRef, parseRefs, parseTime, rangeRef, summaryRef, timeText } from './tools/refs.ts'
export { findMessage, type LcmToolsOptions } from './tools/tool-context.ts'
