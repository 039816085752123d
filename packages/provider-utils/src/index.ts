export { type CallOrigin, createCallIds, type NamedCall } from './call-ids.ts'
export { checkKeys, checkLimits, refuseOption } from './check-options.ts'
export { type ConnectionFailure, connectionFailure } from './connection-failure.ts'
export { kindOfStatus } from './kind-of-status.ts'
export { providerDataOf } from './provider-data.ts'
export { type ProviderFailure, providerError } from './provider-error.ts'
export { retryAfterMs } from './retry-after.ts'
export {
  addCallPiece,
  type CallFields,
  callFields,
  isJson,
  type StreamedCall,
} from './streamed-calls.ts'
export { textOf } from './text-of.ts'
export { wellFormed } from './well-formed.ts'
export { type Limits, LONGEST_TIMEOUT_MS, withDeadline } from './with-deadline.ts'
