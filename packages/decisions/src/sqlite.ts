export { createSqliteDecisionStore, type SqliteDecisionStoreOptions } from './sqlite/create-sqlite-store.ts'
