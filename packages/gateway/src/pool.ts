export * from './pool/conversation-pool.ts'
export * from './pool/running-calls.ts'
export { createLocalLocks, LOCK_TAKEN, type SessionLock, type SessionLocks } from './pool/session-locks.ts'
