import { describe, expect, it } from 'vitest'
import { contractCases } from '../../src/index.ts'
import { brokenEngines } from './index.ts'
import { runBrokenEngine } from './run-broken-engine.ts'

/** Test files that share the broken engines, so that they run side by side. */
const FILES = 5

/**
 * A case that finds more than what it is about finds it in many engines. So each engine runs one in so many of the cases that
 * it must pass, others than the engine before it; `pnpm contract-table` runs all.
 */
const PASSING = 3

/** The suite on one share of the broken engines: the cases that must fail do, and no others. */
export function testBrokenEngines(share: 1 | 2 | 3 | 4 | 5): void {
  const engines = brokenEngines.filter((_, index) => index % FILES === share - 1)
  describe('the suite finds an engine that', () => {
    it.for(engines)('$name', async (engine) => {
      const { fails, mayFail } = engine
      const number = brokenEngines.indexOf(engine)
      const cases = contractCases.filter(
        ({ id }, index) => fails.includes(id) || (index + number) % PASSING === 0,
      )
      const failed = await runBrokenEngine(engine, cases)
      // The reason of an unexpected failure tells whether the engine or the case is at fault.
      const found = [...failed]
        .filter(([id]) => !mayFail.includes(id))
        .map(([id, reason]) => (fails.includes(id) ? id : `${id}: ${reason}`))
      expect(found).toEqual(fails)
    })
  })
}
