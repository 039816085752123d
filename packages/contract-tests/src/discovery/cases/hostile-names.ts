import { deepEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type DiscoveryCase, type DiscoveryHarness, discoveryCase } from '../create-discovery-harness.ts'
import { expectCompressor } from '../expect-resolved.ts'
import { plantFault } from '../plant-faults.ts'

/** Names that mean something to file systems, to modules or to JavaScript. */
export const hostileNameCases: readonly DiscoveryCase[] = [
  discoveryCase(
    'D35',
    'loads nothing from outside of the application, whatever the choice',
    async (harness) => {
      const discovery = harness.discovery()
      for (const choice of waysOut(harness)) await discovery.resolve(choice).catch(() => {})
      deepEqual(harness.loaded(), [], 'no choice should load a module outside of the application')
    },
  ),
  discoveryCase(
    'D36',
    'loads nothing from outside of a plugin or a package, whatever its manifest says',
    async (harness) => {
      plantFault.climbingName(harness, 'climbing-name')
      plantFault.climbingEntry(harness, 'climbing-entry')
      const discovery = harness.discovery()
      for (const choice of ['climbing-name', 'climbing-entry'])
        await discovery.resolve(choice).catch(() => {})
      ok(
        !harness.loaded().includes('outside'),
        'a manifest should not lead to a module outside of its folder',
      )
    },
  ),
  discoveryCase(
    'D37',
    'goes on with the compressor, and warns, for names that no engine can have',
    async (harness) => {
      const discovery = harness.discovery()
      for (const choice of [...waysOut(harness), ...ODD_NAMES]) {
        const warnings = await expectCompressor(discovery, choice)
        ok(warnings.length > 0, `${JSON.stringify(choice.slice(0, 50))} should be warned about`)
      }
    },
  ),
]

const ODD_NAMES = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '__proto__',
  'constructor',
  'toString',
  'node:fs',
  'data:text/javascript,export default 1',
  'name\u0000.js',
  '\ud800',
  '%2e%2e%2foutside',
  'COMPRESSOR',
  'x'.repeat(5_000),
]

/** Paths to the engine beside the application, from each place where a host might begin. */
function waysOut({ outside }: DiscoveryHarness): string[] {
  return [
    outside,
    join(outside, 'index.js'),
    pathToFileURL(join(outside, 'index.js')).href,
    '../outside',
    '../outside/index.js',
    '../../outside',
    '../../../outside',
    '..\\..\\..\\outside',
    'x/../../../../outside',
    '@x/../../../outside',
  ]
}
