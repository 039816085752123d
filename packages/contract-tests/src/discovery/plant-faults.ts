import { join, relative } from 'node:path'
import { type DiscoveryHarness, pluginYaml } from './create-discovery-harness.ts'

/** The message of the error that `throws` throws. */
export const THROWN = 'the plugin has no licence'

/** Puts one broken engine into an application. Those that only loading can find are fine by their manifests. */
export const plantFault = {
  throws(harness: DiscoveryHarness, name: string): void {
    harness.plugin(name, { 'index.js': `throw new Error(${JSON.stringify(THROWN)})` })
  },
  wrongExport(harness: DiscoveryHarness, name: string): void {
    harness.plugin(name, { 'index.js': `export default { name: ${JSON.stringify(name)}, create() {} }` })
  },
  otherVersion(harness: DiscoveryHarness, name: string): void {
    harness.plugin(name, { 'index.js': harness.module(name, `directory ${name}`, 2) })
  },
  /** Its module waits for ever at the top. */
  neverLoads(harness: DiscoveryHarness, name: string): void {
    harness.plugin(name, { 'index.js': 'await new Promise(() => {})' })
  },
  /** The manifest of the package says that it is written for another version of the contract. */
  otherManifestVersion(harness: DiscoveryHarness, name: string): void {
    harness.package(name, name, { name, apiVersion: 2, entry: './index.js' })
  },
  /** The manifest gives it a name that leads out of its folder. */
  climbingName(harness: DiscoveryHarness, name: string): void {
    const way = relative(join(harness.root, 'plugins/context_engine'), harness.outside).replaceAll('\\', '/')
    harness.plugin(name, { 'plugin.yaml': pluginYaml(way) })
  },
  /** The manifest of the package names a module outside of it. */
  climbingEntry(harness: DiscoveryHarness, name: string): void {
    const way = relative(join(harness.root, 'node_modules', name), harness.outside).replaceAll('\\', '/')
    harness.package(name, name, { name, apiVersion: 1, entry: `${way}/index.js` })
  },
  brokenLink(harness: DiscoveryHarness, name: string): void {
    harness.brokenLink(name)
  },
  brokenYaml(harness: DiscoveryHarness, name: string): void {
    harness.plugin(name, { 'plugin.yaml': 'name: [unclosed\n\tversion: {' })
  },
} as const

/** One broken engine of each kind. */
export function plantEveryFault(harness: DiscoveryHarness): void {
  const names = 'abcdefghijklmnopqrstuvwxyz'
  for (const [index, plant] of Object.values(plantFault).entries()) plant(harness, `broken-${names[index]}`)
}
