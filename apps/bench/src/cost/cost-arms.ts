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

const lean: CostArm = { name: 'compressor lean', engine: compressor, options: {} }
const lossless: CostArm = { name: 'lcm', engine: lcm, options: {} }

/** Whose compactions are priced. */
export const COST_ARMS: readonly CostArm[] = [
  lean,
  { name: 'compressor classic', engine: compressor, options: { profile: 'classic' } },
  lossless,
  { name: 'decisions', engine: decisions, options: {} },
  { name: 'decisions over compressor', engine: decisions, options: over(compressor) },
  { name: 'decisions over lcm', engine: decisions, options: over(lcm) },
]

/** Who is asked what it saves to compact when it is cheapest. */
export const PAUSED_ARMS: readonly CostArm[] = [lean, lossless]

/**
 * The described system, which renders its decisions anew for each request and compacts at 35,000 tokens: what a block
 * costs that does not stay as it is. Its sizes are the same in every window.
 */
export const SEED_ARM: CostArm = { name: 'decisions seed', engine: decisions, options: { profile: 'seed' } }
