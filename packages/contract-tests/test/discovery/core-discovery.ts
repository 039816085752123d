import { defineContextEngine } from '@palimpsest/core'
import { createEngineDiscovery, type EngineDiscovery } from '@palimpsest/core/discovery'

/** The compressor's place in these tests: discovery only hands it on. */
const builtIn = defineContextEngine({
  name: 'compressor',
  apiVersion: 1,
  description: 'Built in',
  create() {
    throw new Error('discovery creates no engine')
  },
})

/** Core's discovery as a host would set it up, with little patience for modules that never finish loading. */
export function coreDiscovery(root: string): EngineDiscovery {
  const { name, description } = builtIn
  return createEngineDiscovery({
    root,
    builtIn: [{ name, version: '1.0.0', description, load: async () => builtIn }],
    loadTimeoutMs: 1_000,
  })
}
