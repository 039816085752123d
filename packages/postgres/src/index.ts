export { createPostgresStore } from './lcm/create-postgres-store.ts'
export * from './postgres-options.ts'
