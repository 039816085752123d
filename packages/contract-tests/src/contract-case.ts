import type { EngineCapability } from '@palimpsest/core'
import type { Harness } from './harness/create-harness.ts'

/** One promise of a contract, as data: any runner can run it, and a table can list it. */
export interface SuiteCase<Context> {
  /** Stable. Ids are never given to another case. */
  readonly id: string
  /** The promise, as a sentence without its full stop. */
  readonly title: string
  /** Rejects with what was found when the promise is broken. */
  run(context: Context): Promise<void>
}

/** One promise of the contract of engines. */
export interface ContractCase extends SuiteCase<Harness> {
  /** Capabilities that an engine must have for this case to apply. Default: none. */
  readonly requires?: readonly EngineCapability[]
}

/** A case of the contract for engines with these capabilities. Default: for all. */
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
