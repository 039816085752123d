import type { EngineCapability } from '@palimpsest/core'
import type { Harness } from './harness/create-harness.ts'

/** One promise of a contract, as data: any runner can run it, and a table can list it. */
export interface SuiteCase<Context> {
  /** Stable. Ids are never given to another case. */
  readonly id: string
  /** The promise, as a sentence without its full stop. */
  readonly title: string
  /** The version of the suite that brought this case. */
  readonly since: string
  /** Rejects with what was found when the promise is broken. */
  run(context: Context): Promise<void>
}

/** The version of cases that were there from the beginning. */
const FIRST = '0.1.0'

/** One promise of the contract of engines. */
export interface ContractCase extends SuiteCase<Harness> {
  /** Capabilities that an engine must have for this case to apply. Default: none. */
  readonly requires?: readonly EngineCapability[]
}

/** A case of a suite, there since its first version. */
export function suiteCase<Context>(
  id: string,
  title: string,
  run: SuiteCase<Context>['run'],
): SuiteCase<Context> {
  return { id, title, since: FIRST, run }
}

/** A case of the contract, there since its first version, for engines with these capabilities. Default: for all. */
export function contractCase(
  id: string,
  title: string,
  ...rest:
    | readonly [run: ContractCase['run']]
    | readonly [requires: readonly EngineCapability[], run: ContractCase['run']]
): ContractCase {
  if (rest.length === 1) return suiteCase(id, title, rest[0])
  const [requires, run] = rest
  return { ...suiteCase(id, title, run), requires }
}
