import { describe, expect, it } from 'vitest'
import { contractCases, planContract, runSuite } from '../../src/index.ts'
import { brokenEngines } from './index.ts'

/** Test files that share the broken engines, so that they run side by side. */
const FILES = 3

/**
 * A case that finds more than what it is about finds it in many engines. So each engine runs one in so many of the cases that
 * it must pass, others than the engine before it.
 */
const PASSING = 3

/** The suite on one share of the broken engines: the cases that must fail do, and no others. */
export function testBrokenEngines(share: 1 | 2 | 3): void {
  const engines = brokenEngines.filter((_, index) => index % FILES === share - 1)
  describe('the suite finds an engine that', () => {
    it.for(engines)('$name', async ({ name, target, fails }) => {
      const number = brokenEngines.findIndex((engine) => engine.name === name)
      const cases = contractCases.filter(
        ({ id }, index) => fails.includes(id) || (index + number) % PASSING === 0,
      )
      const results = await runSuite(planContract(target, cases))
      // The reason of an unexpected failure tells whether the engine or the case is at fault.
      const found = results
        .filter(({ status }) => status === 'failed')
        .map(({ id, reason }) => (fails.includes(id) ? id : `${id}: ${reason}`))
      expect(found).toEqual(fails)
    })
  })
}
