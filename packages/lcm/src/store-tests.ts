export { runStoreCase, storeCases, storeCasesFor } from './store-tests/cases/index.ts'
export type { StoreCase, StoreHarness, StoreTarget } from './store-tests/store-case.ts'
