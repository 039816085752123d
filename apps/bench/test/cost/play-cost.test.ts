import { countMessages, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/arms/engine-arm.ts'
import { shortOnly } from '../../src/cost/cost-profiles.ts'
import { compactionMeans, measureEngineCost, playCost } from '../../src/cost/measure-engine-cost.ts'
import { COST_ARMS, longDialogue, SEED_ARM } from '../../src/cost/run-cost.ts'

const profile = shortOnly('claude-sonnet-5-5')
/** Tokens: enough for two compactions in the window below. */
const SIZE = 45_000
const messages = longDialogue(1, SIZE)
const arm = (name: string) => COST_ARMS.find((one) => one.name === name) as Engine
const input = {
  messages,
  window: 40_000,
  profile,
  pacing: 'steady',
  compactAt: 'threshold',
  seed: 1,
} as const

describe('a long dialogue', () => {
  it('is as long as asked for and never longer', () => {
    const size = countMessages(roughTokenCounter, messages)
    expect(size).toBeLessThanOrEqual(SIZE)
    expect(size).toBeGreaterThan(SIZE * 0.85)
  })
})

describe('playing a session', () => {
  it('prices each request, and what is read behind a compaction is tools and system prompt', async () => {
    const { bill, compacted, summaries, rest, lost } = await playCost({
      ...input,
      arm: arm('compressor lean'),
    })
    console.log(`${bill.requests} requests, ${compacted.length} compactions`)
    expect(bill.requests).toBe(messages.filter(({ role }) => role === 'assistant').length)
    expect(compacted.length).toBeGreaterThan(1)
    for (const request of compacted) {
      expect(request.prompt).toBeLessThan(request.before)
      expect(request.read).toBeLessThanOrEqual(request.same)
      expect(request.summaries).toBeGreaterThan(0)
      expect(request.isWarm).toBe(true)
    }
    expect(summaries.calls).toBeGreaterThanOrEqual(compacted.length)
    expect(rest.calls).toBe(0)
    expect(lost).toBe(0)
    expect(bill.bound).toBeLessThanOrEqual(bill.sticky)
    expect(bill.sticky).toBeLessThan(bill.uncached)
  })

  it('the block of decisions stays as it is between compactions, and one that is rendered anew does not', async () => {
    const stable = await playCost({ ...input, arm: arm('decisions') })
    const anew = await playCost({ ...input, arm: SEED_ARM })
    console.log(`head lost: ${stable.lost} and ${anew.lost} of ${stable.bill.requests} requests`)
    expect(stable.rest.calls).toBeGreaterThan(0)
    expect(anew.lost).toBeGreaterThan(10 * (stable.lost + 1))
    expect(stable.bill.cacheReadShare).toBeGreaterThan(anew.bill.cacheReadShare)
  })

  it('compacts behind pauses when it is cheapest, and pays less', async () => {
    const paused = { ...input, arm: arm('compressor lean'), pacing: 'with pauses' } as const
    const threshold = await measureEngineCost(paused)
    const cheapest = await measureEngineCost({ ...paused, compactAt: 'cheapest' })
    expect(cheapest.compactions.cold).toBeGreaterThan(0)
    expect(cheapest.usd.sticky).toBeLessThan(threshold.usd.sticky)
  })
})

describe('the means of compactions', () => {
  const request = { before: 1000, prompt: 400, read: 100, head: 80, same: 120, summaries: 50, isWarm: true }
  const prices = { input: 2, read: 0.05, short: { ttl: '5m', seconds: 300, write: 1.25 } } as const

  it('count what was written again, and only warm ones cost something', () => {
    const cold = { ...request, prompt: 600, read: 0, same: 0, isWarm: false }
    const means = compactionMeans({ compacted: [request, cold], bill: { sticky: 0.01 } }, prices)
    expect(means).toMatchObject({ count: 2, cold: 1, prompt: 500, rewritten: 450, sameMessages: 20 })
    expect(means.keptShare).toBeCloseTo(0.1)
    expect(means.usd).toBeCloseTo((300 * 1.2 * 2) / 1e6, 10)
    expect(means.billShare).toBeCloseTo(means.usd / 0.01, 10)
  })

  it('are zero without a compaction', () => {
    const means = compactionMeans({ compacted: [], bill: { sticky: 0 } }, prices)
    expect(Object.values(means).every((value) => value === 0)).toBe(true)
  })
})
