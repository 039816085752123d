export { type CallOrigin, createCallIds, type NamedCall } from './call-ids.ts'
export { checkKeys, checkLimits, refuseOption } from './check-options.ts'
export { type ConnectionFailure, connectionFailure } from './connection-failure.ts'
export { fetchWithin, patientFetch } from './patient-fetch.ts'
export { providerDataOf, textOf, withoutUndefined, withProviderData } from './provider-data.ts'
export { kindOfStatus, type ProviderFailure, providerError } from './provider-error.ts'
export { retryAfterMs } from './retry-after.ts'
export {
  addCallPiece,
  type CallFields,
  callFields,
  isJson,
  type StreamedCall,
} from './streamed-calls.ts'
export { wellFormed } from './well-formed.ts'
export { type Limits, LONGEST_TIMEOUT_MS, withDeadline } from './with-deadline.ts'
export { withoutRedirects } from './without-redirects.ts'
