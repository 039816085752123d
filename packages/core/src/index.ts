export {
  countMessages,
  messageTokens,
  roughTokenCounter,
  toolTokens,
} from './budget/count-tokens.ts'
export { billedUsage, normalizeUsage } from './budget/normalize-usage.ts'
export { HYGIENE_SHARE, messageRoom, THRESHOLD_FLOOR_TOKENS, thresholdTokens } from './budget/threshold.ts'
export { aroundCalls } from './engine/around-calls.ts'
export { type CompactedInput, compactedResult, keptResult } from './engine/compress-results.ts'
export {
  defineContextEngine,
  ENGINE_CAPABILITIES,
  fillEngine,
  isEngineDefinition,
} from './engine/define-context-engine.ts'
export { declaredTools, runEngineTool } from './engine/run-engine-tool.ts'
export {
  ContextOverflowError,
  errorText,
  InvalidMessagesError,
  InvalidOptionError,
  ModelError,
  type ModelErrorKind,
  markErrors,
  PalimpsestError,
} from './errors/errors.ts'
export { checkCompression, checkProjection } from './invariants/check-projection.ts'
export { checkMessage, checkSequence, type Violation } from './invariants/check-sequence.ts'
export { findLastUser, isInstruction, isSpoken, ownWords, readInstruction } from './messages/instructions.ts'
export {
  changedFrom,
  copyMessages,
  copyValue,
  equalValues,
  freezeMessage,
  isDeepFrozen,
  isObject,
  type Loose,
  looseOf,
} from './messages/json-value.ts'
export {
  answeredCalls,
  contentParts,
  firstTransactions,
  lastTransactions,
  messageText,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  toolTransactions,
} from './messages/message-parts.ts'
export { isPasted, pastedRanges } from './messages/pasted.ts'
export {
  hasReasoning,
  isCompactionRefusal,
  reasoningRefusal,
  reasoningRule,
  stripReasoning,
} from './messages/reasoning.ts'
export { MISSING_RESULT_TEXT, readMessages, repairMessages } from './messages/repair-messages.ts'
export { lineAt, sliceCharacters } from './messages/shorten-message.ts'
export { isBridge, isSummary, placeSummary, readSummary, renderSummary } from './messages/summary.ts'
export { redactMessages } from './redaction/redact-messages.ts'
export { redactMessage, redactSecrets } from './redaction/redact-secrets.ts'
export { contextOverflow, type Overflow } from './session/context-overflow.ts'
export { createContextSession } from './session/context-session.ts'
export { lostMessage } from './session/conversation-log.ts'
export { DEFAULT_PRINCIPAL, listSessions } from './session/list-sessions.ts'
export { printWarning } from './session/print-warning.ts'
export { PROMPT_STATES } from './session/prompt-states.ts'
export {
  abortable,
  atOnce,
  createPause,
  createSerialQueue,
  inSlices,
  type SerialQueue,
  type Sliced,
} from './session/scheduling.ts'
export { createSessionPool, type SessionPool } from './session/session-pool.ts'
export type {
  CompactionTiming,
  ContextSession,
  ContextSessionOptions,
  HostTool,
  LastCompaction,
  ObservedResponse,
  Prepared,
  PrepareOptions,
  SessionEvent,
} from './session/session-types.ts'
export type * from './spec/v1/index.ts'
export {
  runTurn,
  type Turn,
  type TurnAnswer,
  type TurnRequest,
  type TurnSession,
  type TurnSoFar,
} from './turn/run-turn.ts'
