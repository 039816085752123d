/** What operations cost, each beside a floor that was measured in turn with it in the same run. Times differ from run to run. */
export interface FullSpeedReport {
  readonly sqlite: string
  readonly seed: number
  /** Version of ripgrep; null when it is not installed, with what that leaves out in `notMeasured`. */
  readonly ripgrep: string | null
  readonly notMeasured: readonly string[]
  readonly rows: readonly RatioRow[]
  /** What an operation costs at each size: one line for each, for a plot. Values are as they were measured. */
  readonly growth: readonly GrowthLine[]
  readonly memory: readonly MemoryRow[]
}

export interface RatioRow {
  /** `tokens`, `compressor`, `lcm`, `decisions`, `peers`, … */
  readonly group: string
  readonly operation: string
  readonly messages: number
  readonly unit: 'ms' | 'bytes' | 'messages'
  readonly measured: number
  readonly floor: number
  readonly against: string
  readonly ratio: number
  /** What the ratio must not exceed, where something was promised. */
  readonly target?: number
  /** What the ratio must be: counts that have to agree. */
  readonly exactly?: number
  /** How many times each of the two was measured; a time is their median. Absent where it is no time. */
  readonly n?: number
}

export interface GrowthLine {
  readonly operation: string
  readonly points: readonly { readonly messages: number; readonly value: number; readonly unit: string }[]
}

export interface MemoryRow {
  readonly what: string
  readonly messages: number
  /** Bytes that are still held behind a garbage collection, minus those before. */
  readonly heap: number
  /** Bytes of the messages as JSON. */
  readonly floor: number
}
