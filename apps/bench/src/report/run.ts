import type { CostFigures } from '../cost/run-cost.ts'
import type { DecisionsReport } from '../decisions/run-decisions.ts'
import type { DialoguesReport } from '../dialogues/run-dialogues.ts'
import type { GrepRow } from '../grep/run-grep.ts'
import type { JudgeReport } from '../judge/judge-report.ts'
import type { KeptReport } from '../kept/kept-report.ts'
import type { LcmReport } from '../lcm/run-lcm.ts'
import type { SpeedReport } from '../speed/run-speed.ts'
import type { Machine } from './machine.ts'

/** The figures of each command. */
export interface Figures {
  readonly kept: KeptReport
  readonly dialogues: DialoguesReport
  readonly judge: JudgeReport
  readonly grep: readonly GrepRow[]
  readonly decisions: DecisionsReport
  readonly cost: CostFigures
  readonly speed: SpeedReport
  readonly lcm: LcmReport
}

export type Measured = keyof Figures

/** What one command measured, as `--json` writes it: pages are made of such files. */
export interface Run<Name extends Measured> {
  /** The command. */
  readonly bench: Name
  /** The call that makes it again. The folder of the sessions is there by its last name. */
  readonly command: string
  /** ISO 8601, without the time. */
  readonly date: string
  readonly machine: Machine
  /** Of Node, SQLite, and the packages that are measured. */
  readonly versions: Readonly<Record<string, string>>
  readonly figures: Figures[Name]
}

/** A run of any command. */
export type AnyRun = { [Name in Measured]: Run<Name> }[Measured]

/** The runs of a page by their command. */
export type Runs = { readonly [Name in Measured]?: Run<Name> }
