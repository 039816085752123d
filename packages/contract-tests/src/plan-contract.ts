import { ENGINE_CAPABILITIES, type EngineCapability, errorText } from '@palimpsest/core'
import { contractCases } from './cases/index.ts'
import type { ContractCase } from './contract-case.ts'
import { type ContractTarget, TARGET_DEFAULTS } from './contract-target.ts'
import { createHarness } from './harness/create-harness.ts'
import { withinLimit } from './harness/processor-time.ts'
import { unhandledRejections } from './harness/settle.ts'
import type { PlannedCase } from './run-suite.ts'

/**
 * Plans the suite for an engine: each case, or the reason for skipping it. Creates one engine to read its capabilities;
 * an engine that cannot be created has none, and fails the cases that create one.
 *
 * @param cases Default: all.
 * @throws TypeError for an invalid target.
 */
export function planContract(
  target: ContractTarget,
  cases: readonly ContractCase[] = contractCases,
): PlannedCase<ContractCase>[] {
  checkTarget(target)
  const capabilities = capabilitiesOf(target)
  return cases.map((entry) => ({
    entry,
    skip: skipReason(entry, target, capabilities),
    run: () => runCase(entry, target, capabilities),
  }))
}

async function runCase(
  entry: ContractCase,
  target: ContractTarget,
  capabilities: ReadonlySet<EngineCapability>,
): Promise<void> {
  const { caseTimeoutMs = TARGET_DEFAULTS.caseTimeoutMs } = target
  const { harness, calls, cleanUp } = createHarness(target, capabilities)
  const pending = () =>
    `${calls.pending.length === 0 ? '' : `, ${[...new Set(calls.pending)].join(', ')} had not settled`}; a slow engine passes with more time (caseTimeoutMs of the target, --case-timeout of the command)`
  try {
    const [stray] = await unhandledRejections(() => withinLimit(entry.run(harness), caseTimeoutMs, pending))
    if (stray !== undefined) throw new Error(`the engine left an unhandled rejection: ${errorText(stray)}`)
  } catch (error) {
    const { threw } = calls
    throw threw !== undefined && threw.error === error ? namingMember(error, threw.member) : error
  } finally {
    calls.isOver = true
    await cleanUp()
  }
}

function namingMember(error: unknown, member: string): Error {
  const named = new Error(`${member} of the engine threw: ${errorText(error)}`, { cause: error })
  if (error instanceof Error) named.stack = error.stack ?? ''
  return named
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

function capabilitiesOf(target: ContractTarget): ReadonlySet<EngineCapability> {
  const { harness, cleanUp } = createHarness(target, new Set())
  try {
    return new Set(harness.create().capabilities)
  } catch {
    return new Set()
  } finally {
    void cleanUp()
  }
}

/**
 * Authors who write JavaScript have no compiler to report a wrong target.
 *
 * @throws TypeError
 */
function checkTarget(target: ContractTarget): void {
  const { name, create, expectCapabilities } = Object(target) as Partial<ContractTarget>
  if (typeof name !== 'string' || typeof create !== 'function')
    throw new TypeError(
      'a target needs { name, create, expectCapabilities }: what to call the engine, and how to make one',
    )
  if (!Array.isArray(expectCapabilities))
    throw new TypeError(
      `the target "${name}" needs expectCapabilities: what the engine must declare, [] for nothing; there are ${ENGINE_CAPABILITIES.join(', ')}`,
    )
}
