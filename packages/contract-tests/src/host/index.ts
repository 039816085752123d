export { type CaseResult, type PlannedCase, runSuite } from '../run-suite.ts'
export type { HostCase, HostHarness } from './create-host-harness.ts'
export type { HostConversation, HostSetup, HostTarget, HostTool } from './host-target.ts'
export { hostCases, planHost } from './plan-host.ts'
