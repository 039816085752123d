import {
  type Completion,
  type CompletionModel,
  compactedResult,
  type Message,
  renderSummary,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { createSummaryMeter } from '../../src/bill/summary-bill.ts'

const profile = findPricing({ model: 'claude-sonnet-5-5' })
const call = { prompt: 'Summarise.' }
const usage = { promptTokens: 1_000_000, completionTokens: 100_000, totalTokens: 1_100_000 }

function modelOf(name: string, usages: readonly Completion['usage'][]): CompletionModel {
  let done = 0
  return {
    name,
    async complete() {
      const reported = usages[done++]
      return { text: 'short', finishReason: 'stop', ...(reported !== undefined && { usage: reported }) }
    },
  }
}

async function billOf(model: CompletionModel | undefined, calls: number) {
  const meter = createSummaryMeter({ tokens, profile, model })
  for (let done = 0; done < calls; done++) await meter.model?.complete(call)
  return meter.bill()
}

function compaction(text: string) {
  const before: Message[] = Array.from({ length: 10 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} ${'word '.repeat(500)}`,
  }))
  const summary: Message = { role: 'user', content: renderSummary(text) }
  return {
    summary,
    result: compactedResult({ before, after: [summary, ...before.slice(8)], tokens, reason: 'x' }),
  }
}

describe('what summaries cost', () => {
  it('is what the model reported, at its own prices', async () => {
    const { input, output } = findPricing({ model: 'gemini-2.5-flash' })
    const { usd } = await billOf(modelOf('gemini:gemini-2.5-flash', [usage, usage]), 2)
    expect(usd).toBeCloseTo(2 * (input + output / 10), 12)
    expect(usd).toBeGreaterThan(0)
  })

  it('is nothing without a model, and with one that was not asked', async () => {
    expect((await billOf(undefined, 0)).usd).toBe(0)
    expect((await billOf(modelOf('house:unpriced', []), 0)).usd).toBe(0)
  })

  it('is not known when the model has no price, or does not report what it used', async () => {
    expect((await billOf(modelOf('house:unpriced', [usage]), 1)).usd).toBeNull()
    expect((await billOf(modelOf('gemini:gemini-2.5-flash', []), 1)).usd).toBeNull()
    expect((await billOf(modelOf('gemini:gemini-2.5-flash', [usage, undefined]), 2)).usd).toBeNull()
  })

  it('by the session model: what is replaced is read, and the summary is written', () => {
    const meter = createSummaryMeter({ tokens, profile, model: undefined })
    const { summary, result } = compaction('It was long.')
    meter.add(result)
    const written = tokens.countMessage(summary)
    const replaced = result.tokensBefore - result.tokensAfter + written
    expect(meter.bill().count).toBe(1)
    expect(meter.bill().asModelUsd).toBeCloseTo(
      (replaced * profile.input + written * profile.output) / 1e6,
      12,
    )
    const once = meter.bill().asModelUsd
    meter.add(result)
    expect(meter.bill()).toMatchObject({ count: 1, asModelUsd: once })
    meter.add(compaction('It was longer.').result)
    expect(meter.bill().count).toBe(2)
    expect(meter.bill().asModelUsd).toBeGreaterThan(1.5 * once)
  })
})
