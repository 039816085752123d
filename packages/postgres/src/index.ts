export { createPostgresPool, type PostgresPoolOptions } from './database/create-pool.ts'
export { createPostgresDecisionStore } from './decisions/create-postgres-decision-store.ts'
export { createPostgresStore } from './lcm/create-postgres-store.ts'
export * from './postgres-options.ts'
