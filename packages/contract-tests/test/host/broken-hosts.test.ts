import { describe, expect, it } from 'vitest'
import { hostCases, planHost, runSuite } from '../../src/host/index.ts'
import { brokenHosts } from './broken-hosts.ts'

/** The time of a case, in milliseconds, and of a host that does not hear of an abort: it waits all of it. */
const TIME_LIMIT = 40_000
const IGNORED_SIGNAL = 8_000

describe('the suite for hosts finds a host that', () => {
  it.concurrent.for(brokenHosts)('$name', async ({ target, fails }) => {
    const results = await runSuite(planHost(target, fails.includes('H13') ? IGNORED_SIGNAL : TIME_LIMIT))
    const failed = results.filter(({ status }) => status === 'failed')
    expect(failed.map(({ id, reason }) => `${id} ${fails.includes(id) ? '' : reason}`.trim())).toEqual(fails)
  })
})

describe('every case for hosts', () => {
  it('is failed by some broken host', () => {
    const found = new Set(brokenHosts.flatMap(({ fails }) => fails))
    expect(hostCases.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([])
  })
})
