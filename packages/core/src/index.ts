export { countMessages } from './budget/count-messages.ts'
export { messageRoom } from './budget/message-room.ts'
export { normalizeUsage } from './budget/normalize-usage.ts'
export {
  CALL_OVERHEAD_TOKENS,
  IMAGE_TOKENS,
  MESSAGE_OVERHEAD_TOKENS,
  messageTokens,
  roughTokenCounter,
  toolTokens,
} from './budget/rough-token-counter.ts'
export { HYGIENE_SHARE, THRESHOLD_FLOOR_TOKENS, thresholdTokens } from './budget/threshold.ts'
export { type CompactedInput, compactedResult, keptResult } from './engine/compress-results.ts'
export { defineContextEngine, isEngineDefinition } from './engine/define-context-engine.ts'
export { ENGINE_CAPABILITIES } from './engine/engine-capabilities.ts'
export { fillEngine } from './engine/fill-engine.ts'
export { runEngineTool } from './engine/run-engine-tool.ts'
export {
  ContextOverflowError,
  DisposedError,
  EngineUnavailableError,
  errorText,
  InvalidEngineError,
  InvalidMessagesError,
  InvalidOptionError,
  ModelError,
  type ModelErrorKind,
  markErrors,
  PalimpsestError,
  SessionEndedError,
  UnknownEngineError,
} from './errors/errors.ts'
export { checkCompression } from './laws/check-compression.ts'
export { checkMessage } from './laws/check-message.ts'
export { checkProjection } from './laws/check-projection.ts'
export { checkSequence } from './laws/check-sequence.ts'
export type { Violation } from './laws/violation.ts'
export { copyMessages, copyValue, freezeMessage, isDeepFrozen } from './messages/copy-message.ts'
export { changedFrom, equalValues } from './messages/equal-values.ts'
export { isInstruction } from './messages/instructions.ts'
export { lineAt } from './messages/line-at.ts'
export { isObject, type Loose, looseOf } from './messages/loose.ts'
export {
  contentParts,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from './messages/message-text.ts'
export { findLastUser, isSpoken, ownWords, readInstruction } from './messages/own-words.ts'
export { isBridge, placeSummary } from './messages/place-summary.ts'
export { readMessages } from './messages/read-messages.ts'
export { MISSING_RESULT_TEXT, repairMessages } from './messages/repair-messages.ts'
export { sliceCharacters } from './messages/slice-characters.ts'
export { hasReasoning, stripReasoning } from './messages/strip-reasoning.ts'
export { isSummary, readSummary, renderSummary } from './messages/summary-marker.ts'
export {
  answeredCalls,
  firstTransactions,
  lastTransactions,
  type Transaction,
  toolTransactions,
} from './messages/tool-transactions.ts'
export { redactMessage, redactMessages } from './redaction/redact-message.ts'
export { redactSecrets } from './redaction/redact-secrets.ts'
export { abortable } from './session/abortable.ts'
export { contextOverflow, type Overflow } from './session/context-overflow.ts'
export { createContextSession } from './session/context-session.ts'
export { atOnce, createPause, inSlices, type Sliced } from './session/pause.ts'
export { createSerialQueue, type SerialQueue } from './session/serial-queue.ts'
export type { SessionEvent } from './session/session-events.ts'
export { createSessionPool, type SessionPool } from './session/session-pool.ts'
export { declaredTools } from './session/session-tools.ts'
export type {
  CompactionTiming,
  ContextSession,
  ContextSessionOptions,
  HostTool,
  LastCompaction,
  ObservedResponse,
  Prepared,
  PrepareOptions,
} from './session/session-types.ts'
export type { StoredProjection } from './session/stored-projection.ts'
export type * from './spec/v1/index.ts'
export {
  runTurn,
  type Turn,
  type TurnAnswer,
  type TurnRequest,
  type TurnSession,
  type TurnSoFar,
} from './turn/run-turn.ts'
