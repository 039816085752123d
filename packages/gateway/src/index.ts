export type { MarkCache } from './answer/turn.ts'
export {
  conversationId,
  firstName,
  type OpenedConversation,
  type OpenSession,
} from './conversations.ts'
export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts'
export { GATEWAY_DEFAULTS, type GatewayLimits } from './gateway-defaults.ts'
export { SESSION_HEADER } from './http/handle-chat.ts'
export { isForeignPage, isLoopback } from './http/read-request.ts'
export { createLocalLocks, LOCK_TAKEN, type SessionLock, type SessionLocks } from './pool.ts'
export {
  type ConversationChange,
  type ConversationIndex,
  createMemoryIndex,
  type HiddenAnswer,
  type HiddenAnswers,
  type KnownConversation,
} from './recognition/conversation-index.ts'
export {
  type Checkpoint,
  firstCheckpoint,
  knownLength,
  type PrefixHashes,
} from './recognition/prefix-hashes.ts'
export { type ModelCall, traceModelCall } from './trace-model-call.ts'
