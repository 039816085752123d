export type { MarkCache } from './answer/turn.ts'
export type { OpenedConversation, OpenSession } from './conversations/open-conversation.ts'
export { createGateway, type Gateway, type GatewayOptions } from './create-gateway.ts'
export { GATEWAY_DEFAULTS, type GatewayLimits } from './gateway-defaults.ts'
export { isForeignPage, isLoopback } from './http/assert-own-page.ts'
export { SESSION_HEADER } from './http/handle-chat.ts'
export { createLocalLocks, LOCK_TAKEN, type SessionLock, type SessionLocks } from './pool/session-locks.ts'
export { anchorsOf, type Checkpoint, knownLength } from './recognition/checkpoint.ts'
export {
  type ConversationChange,
  type ConversationIndex,
  createMemoryIndex,
  type HiddenAnswer,
  type HiddenAnswers,
  type KnownConversation,
  type RememberedConversation,
} from './recognition/conversation-index.ts'
export { EMPTY_PREFIX, type PrefixHashes } from './recognition/prefix-hashes.ts'
export { type ModelCall, traceModelCall } from './trace-model-call.ts'
