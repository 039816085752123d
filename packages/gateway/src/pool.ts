export * from './pool/conversation-pool.ts'
export * from './pool/running-calls.ts'
export * from './pool/session-locks.ts'
