/**
 * For packages that keep the store of this engine in another database: the rules that all stores hold to, so that
 * they answer alike. `@palimpsest/decisions/store-tests` is the proof.
 */
export { type BatchRows, batchRows, countAfter } from './store/batch-rows.ts'
export { DEFAULT_PRINCIPAL } from './store/decision-store.ts'
export { timeSchema } from './store/event-schema.ts'
export * from './store/session-handle.ts'
