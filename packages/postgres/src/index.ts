export { createPostgresStore } from './create-postgres-store.ts'
export { createPostgresPool, type PostgresPoolOptions } from './database/create-pool.ts'
export * from './postgres-options.ts'
