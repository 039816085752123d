import type { EngineCapability } from '@palimpsest/core'
import type { Harness } from './harness/create-harness.ts'
import type { SuiteCase } from './run-suite.ts'

/** A case of the contract for engines. */
export interface ContractCase extends SuiteCase<Harness> {
  /** Capabilities that an engine needs for this case. Default: none. */
  readonly requires?: readonly EngineCapability[]
}

export function contractCase(
  id: string,
  title: string,
  ...rest:
    | readonly [run: ContractCase['run']]
    | readonly [requires: readonly EngineCapability[], run: ContractCase['run']]
): ContractCase {
  if (rest.length === 1) return { id, title, run: rest[0] }
  const [requires, run] = rest
  return { id, title, requires, run }
}
