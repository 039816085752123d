import { countMessages, createContextSession } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { compressor } from '../src/index.ts'
import { createEngine, SUMMARY, scripted, system, tokens, turns, user } from './harness.ts'

describe('when to compact', () => {
  it('says yes from the threshold on', () => {
    const engine = createEngine({ window: 200_000 })
    expect(engine.thresholdTokens).toBe(100_000)
    expect(engine.shouldCompress({ promptTokens: 99_999 })).toBe(false)
    expect(engine.shouldCompress({ promptTokens: 100_000 })).toBe(true)
    expect(engine.shouldCompress({ promptTokens: 110_000 })).toBe(true)
  })

  it('begins later in a small window, unless there is a model or the options name a share', () => {
    const thresholds = (options: object) =>
      [8_000, 64_000, 100_000, 200_000].map((window) => createEngine({ window, ...options }).thresholdTokens)
    expect(thresholds({})).toEqual([6_000, 48_000, 64_000, 100_000])
    expect(thresholds({ model: scripted([SUMMARY]) })).toEqual([4_000, 32_000, 50_000, 100_000])
    expect(thresholds({ threshold: 0.5 })).toEqual([4_000, 32_000, 50_000, 100_000])
  })

  it('takes the threshold of the options', () => {
    expect(createEngine({ window: 64_000, threshold: 0.85 }).thresholdTokens).toBe(54_400)
  })

  it('says yes at a threshold of 1 when the usable window is full, and at 0 never', () => {
    const full = createEngine({ window: 100_000, maxOutputTokens: 20_000, threshold: 1 })
    expect(full.shouldCompress({ promptTokens: 79_999 })).toBe(false)
    expect(full.shouldCompress({ promptTokens: 80_000 })).toBe(true)
    const never = createEngine({ window: 100_000, maxOutputTokens: 20_000, threshold: 0 })
    expect(never.shouldCompress({ promptTokens: 1_000_000 })).toBe(false)
    expect(never.thresholdTokens).toBe(80_000)
  })

  it.each([0, 1])('is left to the safety net of a session at a threshold of %d', async (threshold) => {
    const session = createContextSession({
      engine: compressor,
      options: { threshold },
      contextLength: 16_000,
      tokens,
    })
    const filled = (share: number) => {
      const list = [system()]
      while (countMessages(tokens, list) < share * 16_000) list.push(...turns(1, 200, `s${list.length}`))
      return [...list, user('Next?')]
    }
    expect((await session.prepare(filled(0.8))).compactions).toEqual([])
    const { compactions, tokens: after } = await session.prepare(filled(0.86))
    expect(compactions).toMatchObject([{ outcome: 'compacted' }])
    expect(after).toBeLessThan(11_000)
    const refused = createContextSession({
      engine: compressor,
      options: { threshold },
      contextLength: 16_000,
      tokens,
    })
    await refused.prepare(filled(0.7))
    const { compactions: harder } = await refused.recover(new Error('prompt is too long'))
    expect(harder).toMatchObject([{ outcome: 'compacted' }])
  })

  it('takes off what is reserved for the answer, and ignores a reserve that makes no sense', () => {
    expect(createEngine({ window: 200_000, maxOutputTokens: 20_000 }).thresholdTokens).toBe(90_000)
    for (const maxOutputTokens of [Number.NaN, -1, 0.5, 200_000]) {
      expect(createEngine({ window: 200_000, maxOutputTokens }).thresholdTokens).toBe(100_000)
    }
  })

  it('uses the last reported prompt when it is not told a size', () => {
    const engine = createEngine({ window: 1000 })
    expect(engine.shouldCompress()).toBe(false)
    engine.updateFromResponse({ promptTokens: 800, completionTokens: 10_000, totalTokens: 10_800 })
    expect(engine.shouldCompress()).toBe(true)
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 10_000, totalTokens: 10_100 })
    expect(engine.shouldCompress()).toBe(false)
  })

  it('follows a change of the model', () => {
    const engine = createEngine({ window: 100_000 })
    engine.updateModel({ contextLength: 10_000 })
    expect(engine.contextLength).toBe(10_000)
    expect(engine.thresholdTokens).toBe(7_500)
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
    expect(() => createEngine({ threshold: 1.5 })).toThrow(/compressor\.threshold.*at most 1/)
    expect(() => createEngine({ protect_last_n: 2.5 })).toThrow(/protect_last_n/)
  })
})
