import type { EngineCapability } from '@palimpsest/core'
import type { Harness } from './harness/create-harness.ts'

/** One promise of a contract, as data: any runner can run it, and a table can list it. */
export interface SuiteCase<Context> {
  /** Stable. Ids are never given to another case. */
  readonly id: string
  /** What holds, as a sentence without its full stop. */
  readonly title: string
  /** The version of the suite that brought this case. */
  readonly since: string
  /** Rejects with what was found when the promise is broken. */
  run(context: Context): Promise<void>
}

/** One promise of the contract of engines. */
export interface ContractCase extends SuiteCase<Harness> {
  /** What an engine must be able to do for this case to say anything about it. Default: nothing. */
  readonly requires?: readonly EngineCapability[]
}
