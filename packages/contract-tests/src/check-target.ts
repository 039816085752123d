import { ENGINE_CAPABILITIES } from '@palimpsest/core'
import type { ContractTarget } from './contract-target.ts'

/**
 * Fails for a target that no case could say anything about. Authors who write JavaScript have no compiler to tell them.
 *
 * @throws TypeError
 */
export function checkTarget(target: ContractTarget): void {
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
