import type { Arm } from '../arms/arm.ts'
import type { BillReport } from '../cost/bill-report.ts'
import type { CostReport } from '../cost/run-cost.ts'
import type { DecisionsReport, PartReport } from '../decisions/run-decisions.ts'
import type { DialoguesReport } from '../dialogues/run-dialogues.ts'
import type { JudgeReport } from '../judge/judge-report.ts'
import type { RecallReport } from '../recall/recall-report.ts'
import type { FullSpeedReport } from '../speed/speed-report.ts'

/** Everything that one run of the bench measured. What is not in `Varying` is the same in every run, byte for byte. */
export interface BenchReport extends Varying {
  /** What makes it again. The folder of the sessions is there by its last name. */
  readonly command: string
  /** Of Node, SQLite, the packages that are measured and the peers. */
  readonly versions: Readonly<Record<string, string>>
  readonly arms: readonly ArmFacts[]
  readonly seeds: Seeds
  readonly recall?: RecallReport
  readonly dialogues?: DialoguesReport
  readonly decisions?: ExtractionReport
  readonly bills?: BillReport
  readonly cost?: Omit<CostReport, 'planning'>
}

/** What is another in every run: who ran it, when, and what was timed. */
export interface Varying {
  readonly machine: Machine
  /** ISO 8601, without the time. */
  readonly date: string
  readonly speed?: FullSpeedReport
  /** Models are never the same twice. */
  readonly judge?: JudgeReport
  readonly times: Times
}

/** Times that belong to parts whose other figures are always the same. */
export interface Times {
  readonly planning?: CostReport['planning']
  readonly extraction?: readonly (Pick<PartReport, 'part'> & PartReport['speed'])[]
}

export type ArmFacts = Pick<Arm, 'name' | 'kind' | 'description'>

export interface Seeds {
  /** Generated dialogues have the seeds from 1 to this. */
  readonly dialogues: number
  /** Seed of every other generated conversation. */
  readonly conversations: number
}

/** The labelled set, without times. */
export interface ExtractionReport extends Omit<DecisionsReport, 'parts'> {
  readonly parts: readonly Omit<PartReport, 'speed'>[]
}

export interface Machine {
  readonly cpu: string
  readonly cores: number
  /** In bytes. */
  readonly memory: number
  readonly platform: string
}
