import { describe, expect, it } from 'vitest'
import { createEngine, system, turns, user } from './harness.ts'

describe('when to compact', () => {
  it('says yes from the threshold on', () => {
    const engine = createEngine({ window: 100_000 })
    expect(engine.thresholdTokens).toBe(50_000)
    expect(engine.shouldCompress({ promptTokens: 49_999 })).toBe(false)
    expect(engine.shouldCompress({ promptTokens: 50_000 })).toBe(true)
    expect(engine.shouldCompress({ promptTokens: 60_000 })).toBe(true)
  })

  it('takes the threshold of the options', () => {
    expect(createEngine({ window: 64_000, threshold: 0.85 }).thresholdTokens).toBe(54_400)
  })

  it('takes off what is reserved for the answer, and ignores a reserve that makes no sense', () => {
    expect(createEngine({ window: 100_000, maxOutputTokens: 20_000 }).thresholdTokens).toBe(40_000)
    for (const maxOutputTokens of [Number.NaN, -1, 0.5, 200_000]) {
      expect(createEngine({ window: 100_000, maxOutputTokens }).thresholdTokens).toBe(50_000)
    }
  })

  it('uses the last reported prompt when it is not told a size', () => {
    const engine = createEngine({ window: 1000 })
    expect(engine.shouldCompress()).toBe(false)
    engine.updateFromResponse({ promptTokens: 700, completionTokens: 10_000, totalTokens: 10_700 })
    expect(engine.shouldCompress()).toBe(true)
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 10_000, totalTokens: 10_100 })
    expect(engine.shouldCompress()).toBe(false)
  })

  it('follows a change of the model', () => {
    const engine = createEngine({ window: 100_000 })
    engine.updateModel({ contextLength: 10_000 })
    expect(engine.contextLength).toBe(10_000)
    expect(engine.thresholdTokens).toBe(5_000)
  })

  it('waits for growth after a compaction that had nothing to do', async () => {
    const engine = createEngine({ window: 1000 })
    const result = await engine.compress({
      messages: [system(), user('x'.repeat(4000))],
      currentTokens: 1000,
    })
    expect(result).toMatchObject({ outcome: 'unchanged', reason: 'nothing-to-compact' })
    expect(engine.shouldCompress({ promptTokens: 1000 })).toBe(false)
    expect(engine.shouldCompress({ promptTokens: 1100 })).toBe(true)
    engine.updateModel({ contextLength: 1000 })
    expect(engine.shouldCompress({ promptTokens: 1000 })).toBe(true)
  })

  it('knows whether a manual compaction would find anything', () => {
    const engine = createEngine()
    expect(engine.hasContentToCompress([system(), user('hello')])).toBe(false)
    expect(engine.hasContentToCompress([system(), ...turns(40, 400)])).toBe(true)
  })

  it('refuses options that it does not know or that make no sense, and says what would be right', () => {
    expect(() => createEngine({ treshold: 0.5 } as never)).toThrow(/compressor\.treshold/)
    expect(() => createEngine({ threshold: 1.5 })).toThrow(/compressor\.threshold.*<1/)
    expect(() => createEngine({ protect_last_n: 2.5 })).toThrow(/protect_last_n/)
  })
})
