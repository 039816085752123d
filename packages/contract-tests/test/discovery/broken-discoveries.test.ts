import { describe, expect, it } from 'vitest'
import { discoveryCases, planDiscovery, runSuite } from '../../src/index.ts'
import { brokenDiscoveries } from './broken-discoveries.ts'

describe('the suite of discovery finds a discovery that', () => {
  it.concurrent.for(brokenDiscoveries)('$name', async ({ target, fails }, { expect }) => {
    const results = await runSuite(planDiscovery(target, { limitMs: 4_000 }))
    const failed = results.filter(({ status }) => status === 'failed')
    expect(failed.map(({ id, reason }) => `${id} ${fails.includes(id) ? '' : reason}`.trim())).toEqual(fails)
  })
})

describe('every case of discovery', () => {
  it('is failed by some broken discovery', () => {
    const found = new Set(brokenDiscoveries.flatMap(({ fails }) => fails))
    expect(discoveryCases.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([])
  })
})
