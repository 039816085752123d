export { storeCases } from './suite/cases.ts'
export { runStoreCase, type StoreCase, type StoreHarness, type StoreTarget } from './suite/harness.ts'
