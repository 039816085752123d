import compressor from '@palimpsest/compressor'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import type { Arm, Search } from './arm.ts'
import { empty, full, truncate } from './bounds.ts'
import { engineArm, THRESHOLD } from './engine-arm.ts'
import { PEERS } from './peer-arms.ts'

const grep: Search = { tool: 'lcm_grep', arguments: (query) => ({ query }) }
const list: Search = { tool: 'decisions_list', arguments: (query) => ({ query }) }

/** Every engine may use the whole budget before it compacts. */
const threshold = THRESHOLD

/** All that is compared: bounds, our engines, peers. */
export const ARMS: readonly Arm[] = [
  empty,
  full,
  truncate,
  engineArm({
    name: 'compressor classic',
    description: 'the compressor as it was first described',
    engine: compressor,
    options: { profile: 'classic', threshold },
  }),
  engineArm({
    name: 'compressor lean',
    description: 'the compressor with its default profile',
    engine: compressor,
    options: { threshold },
  }),
  engineArm({
    name: 'lcm',
    description: 'the lossless engine',
    engine: lcm,
    options: { threshold },
    searches: [grep],
  }),
  engineArm({
    name: 'decisions',
    description: 'the decision engine with its own compaction',
    engine: decisions,
    options: { threshold },
    searches: [list],
  }),
  engineArm({
    name: 'decisions over lcm',
    description: 'the decision engine over the lossless one',
    engine: decisions,
    options: { compaction: { engine: lcm, options: { threshold } } },
    searches: [grep, list],
  }),
  ...PEERS,
]
