/**
 * For packages that keep the store of this engine in another database: the rules that all stores hold to, so that
 * they answer alike. `@palimpsest/lcm/store-tests` is the proof.
 */
export { stateConflict } from './dump/session-proofs.ts'
export { sessionExists, sessionNotFound, versionNotFound } from './errors/store-error.ts'
export type { Cover, KnownRows } from './history/check-frontier.ts'
export { isInstructionRole } from './history/instruction-role.ts'
export { isReplaced, nextLive, previousLive } from './history/replaced-ranges.ts'
export { storableCopy } from './messages/storable-text.ts'
export { checkTime } from './store/check-input.ts'
export { DEFAULT_PRINCIPAL } from './store/default-principal.ts'
export * from './store-kit/dump-records.ts'
export * from './store-kit/fold-text.ts'
export * from './store-kit/lineage.ts'
export * from './store-kit/plan-lease.ts'
export * from './store-kit/plan-restore.ts'
export {
  type NewMessage,
  planAppend,
  planCommit,
  planForget,
  planFork,
  planSession,
  type WritePlan,
} from './store-kit/plan-write.ts'
export * from './store-kit/row-columns.ts'
export * from './store-kit/row-numbers.ts'
export * from './store-kit/stored-session.ts'
export { packName, unpackName } from './store-kit/stored-values.ts'
export * from './store-kit/term-words.ts'
