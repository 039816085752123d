import { defineContextEngine, type EngineDefinition } from '@palimpsest/core'

/** Wants to compact all the time and cannot. */
export function brokenEngine(): EngineDefinition {
  return defineContextEngine({
    name: 'broken',
    apiVersion: 1,
    description: 'Fails',
    create: () => ({
      updateFromResponse() {},
      shouldCompress: () => true,
      async compress() {
        throw new Error('out of order')
      },
    }),
  })
}
