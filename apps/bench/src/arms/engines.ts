import compressor from '@palimpsest/compressor'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import type { Search } from './arm.ts'
import type { EngineArm } from './engine-arm.ts'

const grep: Search = { tool: 'lcm_grep', arguments: (query) => ({ query }) }
const list: Search = { tool: 'decisions_list', arguments: (query) => ({ query }) }

/** Our engines. `shared`: options of those that compact. */
export const enginesWith = (shared: object): readonly EngineArm[] => [
  {
    name: 'compressor lean',
    description: 'the compressor with its default profile',
    engine: compressor,
    options: shared,
  },
  {
    name: 'compressor classic',
    description: 'the compressor as it was first described',
    engine: compressor,
    options: { profile: 'classic', ...shared },
  },
  { name: 'lcm', description: 'the lossless engine', engine: lcm, options: shared, searches: [grep] },
  {
    name: 'decisions',
    description: 'the decision engine with its own compaction',
    engine: decisions,
    options: shared,
    searches: [list],
  },
  {
    name: 'decisions over lcm',
    description: 'the decision engine over the lossless one',
    engine: decisions,
    options: { compaction: { engine: lcm, options: shared } },
    searches: [grep, list],
  },
]

/** The engines as users get them: with their default options. */
export const ENGINES = enginesWith({})
