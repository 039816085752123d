import type { Arm } from '../arms/arm.ts'
import type { JudgeModels } from '../judge/judge-models.ts'
import type { Progress } from '../progress.ts'
import type { BenchReport } from '../report/bench-report.ts'
import type { ReadSessions } from '../sessions/read-sessions.ts'
import type { BenchOptions, Part } from './bench-options.ts'

export interface PartInput {
  readonly part: Part
  readonly options: BenchOptions
  /** Lengths of the conversations whose times are taken, in messages. */
  readonly sizes: readonly number[]
  readonly arms: readonly Arm[]
  readonly data: ReadSessions
  /** Where `data` was read from. */
  readonly folder: string
  /** Answer and judge, if they are asked for. */
  readonly models: JudgeModels | undefined
  readonly progress: Progress
}

/** What a part measured. */
export type Measured = Partial<
  Pick<BenchReport, 'recall' | 'dialogues' | 'decisions' | 'judge' | 'bills' | 'cost' | 'speed' | 'times'>
>
