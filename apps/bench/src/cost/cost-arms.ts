import compressor from '@palimpsest/compressor'
import type { EngineDefinition } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'

/** An engine with its options. */
export interface CostArm {
  readonly name: string
  readonly engine: EngineDefinition<object>
  readonly options: object
}

const over = (engine: EngineDefinition<object>) => ({ compaction: { engine, options: {} } })

/** Whose compactions are priced. */
export const COST_ARMS: readonly CostArm[] = [
  { name: 'compressor lean', engine: compressor, options: {} },
  { name: 'compressor classic', engine: compressor, options: { profile: 'classic' } },
  { name: 'lcm', engine: lcm, options: {} },
  { name: 'decisions', engine: decisions, options: {} },
  { name: 'decisions over compressor', engine: decisions, options: over(compressor) },
  { name: 'decisions over lcm', engine: decisions, options: over(lcm) },
]
