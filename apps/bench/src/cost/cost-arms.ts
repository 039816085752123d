import compressor from '@palimpsest/compressor'
import decisions from '@palimpsest/decisions'
import type { Engine } from '../arms/engine-arm.ts'
import { ENGINES } from '../arms/engines.ts'

/** Whose compactions are priced. */
export const COST_ARMS: readonly Engine[] = [
  ...ENGINES,
  {
    name: 'decisions over compressor',
    engine: decisions,
    options: { compaction: { engine: compressor, options: {} } },
  },
]

/** Who is asked what it saves to compact when it is cheapest. */
export const PAUSED_ARMS = COST_ARMS.filter(({ name }) => name === 'compressor lean' || name === 'lcm')

/**
 * The described system, which renders its decisions anew for each request and compacts at 35,000 tokens: what a block
 * costs that does not stay as it is. Its sizes are the same in every window.
 */
export const SEED_ARM: Engine = { name: 'decisions seed', engine: decisions, options: { profile: 'seed' } }
