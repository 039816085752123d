import { readFileSync, writeFileSync } from 'node:fs'
import { hostCases, planHost, runSuite } from '../packages/contract-tests/src/host/index.ts'
import { contractCases } from '../packages/contract-tests/src/index.ts'
import { brokenEngines } from '../packages/contract-tests/test/broken/index.ts'
import { runBrokenEngine } from '../packages/contract-tests/test/broken/run-broken-engine.ts'
import { brokenHosts } from '../packages/contract-tests/test/host/broken-hosts.ts'
import {
  type FoundMistake,
  renderCases,
  renderHostCases,
  renderMistakes,
  replaceSection,
} from '../packages/contract-tests/test/markdown-tables.ts'

/**
 * Puts the cases of the suites for engines and hosts, and the broken ones with what they really fail, into
 * `docs/contract-cases.md`. Tests of `contract-tests` fail when the two differ.
 */
const page = new URL('../docs/contract-cases.md', import.meta.url)
const mistakes: FoundMistake[] = []
for (const engine of brokenEngines) {
  const failed = [...(await runBrokenEngine(engine)).keys()]
  mistakes.push({ name: engine.name, failed })
  process.stdout.write(`${engine.name}: ${failed.join(' ')}\n`)
}
const hosts: FoundMistake[] = []
for (const { name, target } of brokenHosts) {
  const results = await runSuite(planHost(target, { limitMs: 4_000 }))
  hosts.push({ name, failed: results.filter(({ status }) => status === 'failed').map(({ id }) => id) })
}
const sections = {
  cases: renderCases(contractCases),
  'broken engines': renderMistakes('engine', mistakes, idsOf(contractCases)),
  'host cases': renderHostCases(hostCases),
  'broken hosts': renderMistakes('host', hosts, idsOf(hostCases)),
}
const text = Object.entries(sections).reduce(
  (before, [name, body]) => replaceSection(before, name, body),
  readFileSync(page, 'utf8'),
)
writeFileSync(page, text)

function idsOf(cases: readonly { readonly id: string }[]): string[] {
  return cases.map(({ id }) => id)
}
