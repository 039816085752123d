import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hostCases } from '../src/host/index.ts'
import { contractCases, planContract, runSuite } from '../src/index.ts'
import { brokenEngines } from './broken/index.ts'
import { brokenHosts } from './host/broken-hosts.ts'
import { renderCases, renderHostCases, renderMistakes, replaceSection } from './markdown-tables.ts'
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

describe('the broken engines', () => {
  // That each fails what it says is tested beside them, in broken/share-*.test.ts.
  it('fail every case of the suite: none of them is dead', () => {
    const failed = new Set(brokenEngines.flatMap(({ fails }) => fails))
    expect(ids.filter((id) => !failed.has(id))).toEqual([])
  })

  it('have names of their own', () => {
    expect(new Set(brokenEngines.map(({ name }) => name)).size).toBe(brokenEngines.length)
  })
})

describe('docs/contract-cases.md', () => {
  const page = readFileSync(new URL('../../../docs/contract-cases.md', import.meta.url), 'utf8')

  // `pnpm contract-table` brings both up to date.
  it('lists the cases that there are', () => {
    expect(page).toBe(replaceSection(page, 'cases', renderCases(contractCases)))
  })

  it('lists what each broken engine fails', () => {
    const mistakes = brokenEngines.map(({ name, fails }) => ({ name, failed: fails }))
    expect(page).toBe(replaceSection(page, 'broken engines', renderMistakes('engine', mistakes, ids)))
  })

  it('lists the cases for hosts, and what each broken host fails', () => {
    const mistakes = brokenHosts.map(({ name, fails }) => ({ name, failed: fails }))
    const hostIds = hostCases.map(({ id }) => id)
    const cases = replaceSection(page, 'host cases', renderHostCases(hostCases))
    expect(page).toBe(replaceSection(cases, 'broken hosts', renderMistakes('host', mistakes, hostIds)))
  })
})
