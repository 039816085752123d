import compressor from '@palimpsest/compressor'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import type { EngineArm } from '../arms/engine-arm.ts'

/** The engines as users get them: with their default options. */
export const KEPT_ENGINES: readonly EngineArm[] = [
  { name: 'compressor lean', description: 'the default', engine: compressor, options: {} },
  {
    name: 'compressor classic',
    description: 'the compressor as it was first described',
    engine: compressor,
    options: { profile: 'classic' },
  },
  { name: 'lcm', description: 'the lossless engine', engine: lcm, options: {} },
  {
    name: 'decisions',
    description: 'the decision engine with its own compaction',
    engine: decisions,
    options: {},
  },
  {
    name: 'decisions over lcm',
    description: 'the decision engine over the lossless one',
    engine: decisions,
    options: { compaction: { engine: lcm, options: {} } },
  },
]
