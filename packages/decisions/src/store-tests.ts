export { storeCases } from './store-tests/cases/index.ts'
export { runStoreCase, storeCasesFor } from './store-tests/run-store-case.ts'
export type { StoreCase, StoreHarness, StoreTarget } from './store-tests/store-case.ts'
