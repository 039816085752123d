import { createRequire } from 'node:module'
import type { BuiltInEngine } from '@palimpsest/discovery'

const require = createRequire(import.meta.url)

/** The engines that come with the command line. Nothing of them is loaded before one is chosen. */
export const BUILT_IN_ENGINES: readonly BuiltInEngine[] = [
  {
    name: 'compressor',
    version: require('@palimpsest/compressor/package.json').version,
    description: 'Replaces the middle of a conversation by a structured summary (lossy, no store)',
    load: () => import('@palimpsest/compressor'),
  },
  {
    name: 'lcm',
    version: require('@palimpsest/lcm/package.json').version,
    description:
      'Shows older messages as summaries and keeps all of them within reach (lossless, with a store)',
    load: () => import('@palimpsest/lcm'),
  },
  {
    name: 'decisions',
    version: require('@palimpsest/decisions/package.json').version,
    description: 'Keeps what was decided, with its sources, in front of the model (over lcm, or on its own)',
    load: () => import('@palimpsest/decisions'),
  },
]
