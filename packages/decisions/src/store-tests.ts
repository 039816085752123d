export { runStoreCase, storeCases, storeCasesFor } from './store-tests/index.ts'
export type { StoreCase, StoreHarness, StoreTarget } from './store-tests/talk.ts'
