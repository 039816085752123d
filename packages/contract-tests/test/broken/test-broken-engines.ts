import { describe, expect, it } from 'vitest'
import { brokenEngines } from './index.ts'
import { runBrokenEngine } from './run-broken-engine.ts'

/** Test files that share the broken engines, so that they run side by side. */
const FILES = 5

/** The whole suite on one share of the broken engines: the cases that must fail do, and no others. */
export function testBrokenEngines(share: 1 | 2 | 3 | 4 | 5): void {
  const engines = brokenEngines.filter((_, index) => index % FILES === share - 1)
  describe('the suite finds an engine that', () => {
    it.for(engines)('$name', async (engine) => {
      const failed = await runBrokenEngine(engine)
      const { fails } = engine
      // The reason of an unexpected failure tells whether the engine or the case is at fault.
      const found = [...failed].map(([id, reason]) => (fails.includes(id) ? id : `${id}: ${reason}`))
      expect(found).toEqual(fails)
    })
  })
}
