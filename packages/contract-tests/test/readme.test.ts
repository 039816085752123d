import { describe, expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { type ContractTarget, planContract, runSuite } from '../src/index.ts'
import { testContextEngine } from '../src/vitest.ts'
import { referenceEngine } from './reference-engine.ts'

const examples = examplesOf(new URL('../README.md', import.meta.url))
const ofEngines = examples.filter((code) => code.includes('testContextEngine('))

/** Runs an example with another `testContextEngine`, on the reference engine. */
const run = (code: string, test: (target: ContractTarget) => void) =>
  runExample(code, {
    '@palimpsest/contract-tests/vitest': { testContextEngine: test },
    '@palimpsest/contract-tests/node-test': { testContextEngine: test },
    '../src/index.ts': { default: referenceEngine },
  })

/** As many conversations as show that something is compacted. */
const propertyRuns = 8

// The first one for vitest as its reader has it: its tests are among those of this file.
const [first = ''] = ofEngines.filter((code) => code.includes('/vitest'))
await run(first, (target) => testContextEngine({ ...target, propertyRuns }))

describe('README.md', () => {
  const others = ofEngines.filter((code) => code !== first)
  it.for(others.map((code, index) => [index + 1, code] as const))(
    'shows a target that passes: example %i',
    async ([, code]) => {
      const targets: ContractTarget[] = []
      await run(code, (target) => targets.push(target))
      const [target] = targets
      if (target === undefined) throw new Error('the example calls no testContextEngine()')
      const results = await runSuite(planContract({ ...target, propertyRuns }))
      expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    },
  )
})
