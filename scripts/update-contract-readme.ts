import { readFileSync, writeFileSync } from 'node:fs'
import { contractCases } from '../packages/contract-tests/src/index.ts'
import { brokenEngines } from '../packages/contract-tests/test/broken/index.ts'
import { runBrokenEngine } from '../packages/contract-tests/test/broken/run-broken-engine.ts'
import {
  type FoundMistake,
  renderCases,
  renderMistakes,
  replaceSection,
} from '../packages/contract-tests/test/readme-tables.ts'

/**
 * Puts the cases of the contract suite, and the broken engines with what they really fail, into the README of
 * `contract-tests`. Its tests fail when the two differ.
 */
const readme = new URL('../packages/contract-tests/README.md', import.meta.url)
const mistakes: FoundMistake[] = []
for (const engine of brokenEngines) {
  const failed = [...(await runBrokenEngine(engine)).keys()]
  mistakes.push({ name: engine.name, failed })
  process.stdout.write(`${engine.name}: ${failed.join(' ')}\n`)
}
const ids = contractCases.map(({ id }) => id)
const text = replaceSection(readFileSync(readme, 'utf8'), 'cases', renderCases(contractCases))
writeFileSync(readme, replaceSection(text, 'broken engines', renderMistakes(mistakes, ids)))
