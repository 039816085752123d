import { ModelError } from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { createModelMeter, realSleep } from '../../src/judge/model-meter.ts'

/** A meter, and what it waited. */
function metered() {
  const waits: number[] = []
  const { signal } = new AbortController()
  const sleep = async (milliseconds: number) => void waits.push(milliseconds)
  return { meter: createModelMeter('gemini-2.5-flash', signal, sleep), waits }
}

describe('createModelMeter', () => {
  it('gives up in the end, longer and longer after each try', async () => {
    const { meter, waits } = metered()
    const error = new ModelError('overloaded', 'busy', { retryAfterMs: 600_000 })
    await expect(meter.send(() => Promise.reject(error))).rejects.toBe(error)
    expect(meter.spend).toMatchObject({ calls: 7, failures: { overloaded: 7 }, usd: 0 })
    expect(Math.max(...waits)).toBe(120_000)
    const patient = metered()
    await patient.meter.send(() => Promise.reject(new ModelError('network', 'gone'))).catch(() => {})
    expect(patient.waits).toEqual([2000, 10_000, 30_000, 60_000, 60_000, 60_000])
  })

  it('does not send again what would fail again', async () => {
    const { meter, waits } = metered()
    await expect(meter.send(() => Promise.reject(new TypeError('a bug')))).rejects.toMatchObject({
      kind: 'unknown',
      message: 'a bug',
    })
    expect([meter.spend.calls, waits]).toEqual([1, []])
  })

  it('says of how many answers it does not know the price', async () => {
    const { meter } = metered()
    const usage = { promptTokens: 1_000_000, completionTokens: 0, totalTokens: 1_000_000 }
    await meter.send(async () => ({ usage }))
    await meter.send(async () => ({}))
    expect(meter.spend).toMatchObject({ calls: 2, unreported: 1, promptTokens: 1_000_000 })
    const { input, asOf } = findPricing({ model: 'gemini-2.5-flash' })
    expect(meter.spend).toMatchObject({ usd: input, pricesOf: asOf })
  })
})

describe('realSleep', () => {
  it('ends with the reason of an abort', async () => {
    const abort = new AbortController()
    const reason = new Error('that is enough')
    const slept = realSleep(600_000, abort.signal)
    abort.abort(reason)
    await expect(slept).rejects.toBe(reason)
  })
})
