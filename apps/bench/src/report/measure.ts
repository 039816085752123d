import type { Estimate } from '../bootstrap.ts'

/** A row of figures of one arm within one budget. */
export interface ArmRow {
  readonly arm: string
  /** In tokens. */
  readonly budget: number
}

/** A figure that arms have, what it says, and which of two is better. */
export interface Measure<Row extends ArmRow> {
  readonly name: string
  /** One short paragraph. */
  readonly definition: string
  /** Absent for what only puts another figure into another scale. */
  readonly better?: 'more' | 'less'
  of(row: Row): Estimate | number | null
  /** How a plain number is written. */
  readonly write?: (value: number) => string
}
