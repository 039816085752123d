export * from './pool/conversation-pool.ts'
export type { PoolOptions } from './pool/pool-memory.ts'
export * from './pool/running-calls.ts'
export * from './pool/session-locks.ts'
