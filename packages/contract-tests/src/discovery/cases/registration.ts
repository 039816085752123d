import { equal, ok } from 'node:assert/strict'
import { type DiscoveryCase, discoveryCase } from '../create-discovery-harness.ts'
import { expectEngine } from '../expect-resolved.ts'

/** Two engines of one name in code. */
export const registrationCases: readonly DiscoveryCase[] = [
  discoveryCase('D15', 'keeps the first of two different engines of one name', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'the first'))
    discovery.registerContextEngine(harness.definition('chosen', 'the second'))
    await expectEngine(discovery, 'chosen', 'the first')
  }),
  discoveryCase('D16', 'refuses the second with a warning that names it', async (harness) => {
    const discovery = harness.discovery()
    discovery.registerContextEngine(harness.definition('chosen', 'the first'))
    const warning = discovery.registerContextEngine(harness.definition('chosen', 'the second'))
    ok(
      warning?.message.includes('chosen'),
      'registering another engine of the name "chosen" should return a warning that names it',
    )
  }),
  discoveryCase('D17', 'takes the same engine twice', async (harness) => {
    const discovery = harness.discovery()
    const definition = harness.definition('chosen', 'the same')
    discovery.registerContextEngine(definition)
    const warning = discovery.registerContextEngine(definition)
    equal(warning, undefined, 'registering the same engine again should return no warning')
  }),
]
