import { roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createSummaryWriter } from '../../src/workload/summary-writer.ts'

describe('the writer of summaries', () => {
  it('writes about 80 % of the length that it is asked for, never the same text, and counts it', async () => {
    const writer = createSummaryWriter(roughTokenCounter, 1)
    const prompt = 'The record has room for 2000 tokens, about 1400 words.'
    const [first, second] = [await writer.complete({ prompt }), await writer.complete({ prompt })]
    expect(first.text).not.toBe(second.text)
    for (const { text } of [first, second]) {
      expect(roughTokenCounter.countText(text)).toBeGreaterThan(1300)
      expect(roughTokenCounter.countText(text)).toBeLessThan(2000)
    }
    const output = [first, second].reduce((sum, { text }) => sum + roughTokenCounter.countText(text), 0)
    expect(writer.use).toEqual({ calls: 2, input: 2 * roughTokenCounter.countText(prompt), output })
  })

  it('writes something where no length is named, whatever the conversation says about tokens', async () => {
    const writer = createSummaryWriter(roughTokenCounter, 1)
    const { text } = await writer.complete({ prompt: 'Summarise: the window shrank to 100000 tokens.' })
    expect(roughTokenCounter.countText(text)).toBeGreaterThan(500)
    expect(roughTokenCounter.countText(text)).toBeLessThan(2000)
  })

  it('finds nothing when it is asked for JSON, and counts that too', async () => {
    const writer = createSummaryWriter(roughTokenCounter, 1)
    const { text } = await writer.complete({ system: 'Answer with JSON only.', prompt: 'Read this.' })
    expect(JSON.parse(text)).toEqual({ candidates: [], verdicts: [] })
    expect(writer.use.calls).toBe(1)
  })
})
