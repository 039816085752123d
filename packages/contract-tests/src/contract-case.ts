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

/** A case as its file writes it. `since` may be left out where it is the first version, 0.1.0. */
export type Draft<Case extends SuiteCase<never>> = Omit<Case, 'since'> & Partial<Pick<Case, 'since'>>

/** Completes the cases of a suite. */
export function completed<Case extends SuiteCase<never>>(drafts: readonly Draft<Case>[]): readonly Case[] {
  // What a draft leaves out is `since`.
  return drafts.map((draft) => ({ since: '0.1.0', ...draft }) as unknown as Case)
}

/** One promise of the contract of engines. */
export interface ContractCase extends SuiteCase<Harness> {
  /** Capabilities that an engine must have for this case to apply. Default: none. */
  readonly requires?: readonly EngineCapability[]
}

/** A case of the contract, as its file writes it. */
export type CaseDraft = Draft<ContractCase>
