export * from './sqlite/create-sqlite-store.ts'
