/**
 * For packages that keep the store of this engine in another database: the rules that all stores hold to, so that
 * they answer alike. `@palimpsest/lcm/store-tests` is the proof.
 */
export { createRecordChecker } from './dump/create-record-checker.ts'
export { encodeRecord } from './dump/encode-record.ts'
export { asInvalidDump, invalidDump } from './dump/invalid-dump.ts'
export {
  compareStates,
  frontierProof,
  messageProof,
  stateConflict,
  summaryProof,
} from './dump/session-proofs.ts'
export { checkFrontier, checkNewSummaries, type FrontierContext } from './history/check-frontier.ts'
export { checkCut, checkLease, checkNextSeq, checkVersion } from './history/check-writer.ts'
export { isInstructionRole } from './history/instruction-role.ts'
export {
  isReplaced,
  nextLive,
  previousLive,
  rangesBefore,
  replaceFrom,
} from './history/replaced-ranges.ts'
export { storableCopy } from './messages/storable-text.ts'
export { checkAppend, checkCommit, checkLeaseRequest, checkTime } from './store/check-input.ts'
export { checkKey } from './store/check-key.ts'
export { DEFAULT_PRINCIPAL } from './store/default-principal.ts'
export * from './store-kit/fold-text.ts'
export { toSessionInfo } from './store-kit/session-info.ts'
export * from './store-kit/stored-json.ts'
export { packName, unpackName } from './store-kit/stored-values.ts'
export * from './store-kit/term-words.ts'
