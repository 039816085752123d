import type { KeptRow } from './run-kept.ts'
import type { ValuesReport } from './values/run-values.ts'

/** What `bench kept` measured: what was asked for of both. */
export interface KeptReport {
  /** Recorded sessions. */
  readonly sessions?: readonly KeptRow[]
  /** Generated dialogues in which values change. */
  readonly values?: ValuesReport
}
