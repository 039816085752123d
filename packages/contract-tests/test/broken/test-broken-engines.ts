import { describe, expect, it } from 'vitest'
import type { BrokenEngine } from './broken-engine.ts'
import { runBrokenEngine } from './run-broken-engine.ts'

/** The whole suite on each engine: the cases that must fail do, and no others. */
export function testBrokenEngines(engines: readonly BrokenEngine[]): void {
  describe('the suite finds an engine that', () => {
    it.for(engines)('$name', async (engine) => {
      const failed = await runBrokenEngine(engine)
      const { fails } = engine
      // The reason of a failure that nobody expected says whether the engine or the case is at fault.
      const found = [...failed].map(([id, reason]) => (fails.includes(id) ? id : `${id}: ${reason}`))
      expect(found).toEqual(fails)
    })
  })
}
