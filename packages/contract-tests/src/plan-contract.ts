import { ENGINE_CAPABILITIES, type EngineCapability, errorText } from '@palimpsest/core'
import { contractCases } from './cases/index.ts'
import type { ContractCase } from './contract-case.ts'
import { type ContractTarget, TARGET_DEFAULTS } from './contract-target.ts'
import { createCallLog, withinCaseLimit } from './harness/call-log.ts'
import { createHarness } from './harness/create-harness.ts'
import { createPatience, type Patience, SETTLE_MS } from './harness/time-limit.ts'
import { unhandledRejections } from './harness/unhandled-rejections.ts'
import type { PlannedCase } from './run-suite.ts'

/** Settings for a run of the suite. Authors never need them. */
export interface PlanOptions {
  /** The cases to plan. Default: all. */
  readonly cases?: readonly ContractCase[]
  /** The time limit of an engine's call, in milliseconds. Default: a 24th of the case's limit, 5,000 at least. */
  readonly limitMs?: number
}

/** As many calls, each as slow as one may be, a case has time for. */
const CALLS_OF_A_CASE = 24

/**
 * Plans the suite for an engine: each case, or the reason why it is left out. Creates one engine, to see what it can
 * do; an engine that cannot be created has no capabilities, and fails the cases that create one.
 *
 * @throws TypeError for what is no target.
 */
export function planContract(target: ContractTarget, options: PlanOptions = {}): PlannedCase<ContractCase>[] {
  checkTarget(target)
  const { caseTimeoutMs: timeoutMs = TARGET_DEFAULTS.caseTimeoutMs } = target
  const patience = createPatience(options.limitMs ?? Math.max(SETTLE_MS, timeoutMs / CALLS_OF_A_CASE))
  const capabilities = capabilitiesOf(target, patience)
  return (options.cases ?? contractCases).map((entry) => ({
    entry,
    skip: skipReason(entry, target, capabilities),
    async run() {
      const log = createCallLog()
      const { harness, notes, cleanUp } = createHarness({ target, capabilities, patience, log })
      try {
        const [stray] = await unhandledRejections(() =>
          withinCaseLimit(() => entry.run(harness), { timeoutMs, log }),
        )
        if (stray !== undefined)
          throw new Error(`the engine left an unhandled rejection: ${errorText(stray)}`)
      } finally {
        await cleanUp()
      }
      return notes
    },
  }))
}

function skipReason(
  { id, requires = [] }: ContractCase,
  target: ContractTarget,
  capabilities: ReadonlySet<EngineCapability>,
): string | undefined {
  const chosen = target.skip?.[id]
  if (chosen !== undefined) return chosen
  const missing = requires.filter((capability) => !capabilities.has(capability))
  return missing.length === 0 ? undefined : `the engine does not declare ${missing.join(', ')}`
}

function capabilitiesOf(target: ContractTarget, patience: Patience): ReadonlySet<EngineCapability> {
  const { harness, cleanUp } = createHarness({ target, capabilities: new Set(), patience })
  try {
    return new Set(harness.create().capabilities)
  } catch {
    return new Set()
  } finally {
    void cleanUp()
  }
}

/**
 * Fails for a target that no case could say anything about. Authors who write JavaScript have no compiler to tell them.
 *
 * @throws TypeError
 */
function checkTarget(target: ContractTarget): void {
  const { name, create, expectCapabilities } = Object(target) as Partial<ContractTarget>
  if (typeof name !== 'string' || typeof create !== 'function')
    throw new TypeError(
      'testContextEngine() needs { name, create, expectCapabilities }: what to call the engine, and how to make one',
    )
  if (!Array.isArray(expectCapabilities))
    throw new TypeError(
      `testContextEngine() needs expectCapabilities: what "${name}" must be able to do, [] for nothing; there are ${ENGINE_CAPABILITIES.join(', ')}`,
    )
}
