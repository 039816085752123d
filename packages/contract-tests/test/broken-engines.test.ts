import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hostCases } from '../src/host/index.ts'
import { contractCases, planContract, runSuite } from '../src/index.ts'
import { brokenEngines } from './broken/index.ts'
import { renderTable, replaceSection } from './markdown-tables.ts'
import { lossyTarget, referenceTarget } from './reference-target.ts'

const ids = contractCases.map(({ id }) => id)

describe('the reference engine', () => {
  it('passes every case, and none is left out', async () => {
    const results = await runSuite(planContract({ ...referenceTarget, propertyRuns: 40 }))
    const rest = results.filter(({ status }) => status !== 'passed')
    expect(rest.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    expect(results.map(({ id }) => id)).toEqual(ids)
  })

  it('passes without its storage and tools too, but for the cases about them', async () => {
    const results = await runSuite(planContract({ ...lossyTarget, propertyRuns: 5 }))
    const reasons = results.filter(({ status }) => status !== 'passed').map(({ reason }) => reason)
    expect([...new Set(reasons)]).toEqual([
      'the engine does not declare tools',
      'the engine does not declare persistence',
      'the engine does not declare lossless',
    ])
  })
})

// That each fails what it says is tested beside them, in broken/share-*.test.ts.
it('the broken engines fail every case of the suite: none of them is dead', () => {
  const failed = new Set(brokenEngines.flatMap(({ fails }) => fails))
  expect(ids.filter((id) => !failed.has(id))).toEqual([])
})

// With `-u`, the test brings the page up to date.
it('docs/contract-cases.md lists the cases that there are', async () => {
  const page = fileURLToPath(new URL('../../../docs/contract-cases.md', import.meta.url))
  const cases = renderTable(
    ['case', 'what holds', 'only with'],
    contractCases.map(({ id, title, requires = [] }) => [id, title, requires.join(', ')]),
  )
  const ofHosts = renderTable(
    ['case', 'what holds'],
    hostCases.map(({ id, title }) => [id, title]),
  )
  const text = replaceSection(readFileSync(page, 'utf8'), 'cases', cases)
  await expect(replaceSection(text, 'host cases', ofHosts)).toMatchFileSnapshot(page)
})
