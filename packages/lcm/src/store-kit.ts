/**
 * For packages that keep the store of this engine in another database: the rules that all stores hold to, so that
 * they answer alike. `@palimpsest/lcm/store-tests` is the proof.
 */
export { versionNotFound } from './errors/store-error.ts'
export { type Cover, isInstructionRole, type KnownRows } from './history/check-frontier.ts'
export { isReplaced, nextLive, previousLive } from './history/replaced-ranges.ts'
export { searchText, storableCopy } from './messages/encode-message.ts'
export { checkTime } from './store/check-input.ts'
export { DEFAULT_PRINCIPAL } from './store/lcm-store.ts'
export * from './store-kit/fold-text.ts'
export * from './store-kit/plan-write.ts'
export * from './store-kit/row-columns.ts'
export * from './store-kit/stored-session.ts'
