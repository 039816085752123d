export { contractCases } from './cases/index.ts'
export type { ContractCase } from './contract-case.ts'
export { type ContractHost, type ContractTarget, TARGET_DEFAULTS } from './contract-target.ts'
export type { Harness } from './harness/create-harness.ts'
export { createFakeClock, type FakeClock } from './harness/fake-clock.ts'
export { fixedTokenCounter } from './harness/fixed-token-counter.ts'
export { brokenConversation, conversation } from './harness/generated-conversations.ts'
export {
  createScriptedModel,
  DEAF,
  type ModelStep,
  type ScriptedModel,
  STALL,
} from './harness/scripted-model.ts'
export type { WatchedSession } from './harness/watch-session.ts'
export { planContract } from './plan-contract.ts'
export { type CaseResult, type PlannedCase, runSuite, type SuiteCase } from './run-suite.ts'
