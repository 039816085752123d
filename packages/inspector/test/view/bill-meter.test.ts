import {
  type Completion,
  type CompletionModel,
  compactedResult,
  type Message,
  renderSummary,
  type ToolSchema,
  roughTokenCounter as tokens,
  type Usage,
} from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { createBillMeter } from '../../src/index.ts'

const prices = findPricing({ model: 'claude-sonnet-5-5' })
const usage = { promptTokens: 1_000_000, completionTokens: 100_000, totalTokens: 1_100_000 }

function newMeter(how: { readonly strategy?: 'off' } = {}) {
  let now = 0
  return createBillMeter({ prices, tokens, clock: { now: () => (now += 20_000) }, ...how })
}

function modelOf(name: string, usages: readonly (Usage | undefined)[]): CompletionModel {
  let done = 0
  return {
    name,
    async complete(): Promise<Completion> {
      const reported = usages[done++]
      return { text: 'short', finishReason: 'stop', ...(reported !== undefined && { usage: reported }) }
    },
  }
}

const talk = (length: number): Message[] =>
  Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `${index} ${'word '.repeat(2_000)}`,
  }))

function compaction(text: string) {
  const before = talk(10)
  const summary: Message = { role: 'user', content: renderSummary(text) }
  return {
    summary,
    result: compactedResult({ before, after: [summary, ...before.slice(8)], tokens, reason: 'x' }),
  }
}

async function summariesOf(model: CompletionModel, calls: number) {
  const meter = newMeter()
  const metered = meter.metered(model)
  meter.compacted(compaction('It was long.').result)
  for (let done = 0; done < calls; done++) await metered.complete({ prompt: 'Summarise.' } as never)
  return meter.bill().summaries
}

describe('a bill', () => {
  it('has what was sent, and the whole history, with the same caching', () => {
    const [marked, plain] = [newMeter(), newMeter({ strategy: 'off' })]
    const history = talk(12)
    for (const meter of [marked, plain])
      for (let end = 1; end <= history.length; end += 2) {
        const transcript = history.slice(0, end)
        meter.add({ messages: transcript.slice(-2), tools: [], plan: null, transcript, hostTools: [] })
      }
    const bill = plain.bill()
    const usd = (prompts: readonly number[]) =>
      (prompts.reduce((sum, count) => sum + count, 0) *
        tokens.countMessage(talk(1)[0] as Message) *
        prices.input) /
      1e6
    expect(bill.with).toBeCloseTo(usd([1, 2, 2, 2, 2, 2]), 2)
    expect(bill.without).toBeCloseTo(usd([1, 3, 5, 7, 9, 11]), 2)
    expect(bill.cacheReadShare).toBe(0)
    // Each prompt without an engine begins with the one before.
    expect(marked.bill().without).toBeLessThan(0.6 * (bill.without ?? 0))
  })

  it('takes the plan of the session, where there is one', () => {
    const meter = newMeter()
    const expected = { read: 900, write5m: 100, write1h: 0, uncached: 0, usd: 7 }
    const plan = { breakpoints: [], expected }
    meter.add({ messages: talk(1), tools: [], plan, transcript: talk(1), hostTools: [] })
    expect(meter.bill()).toMatchObject({ with: 7, cacheReadShare: 0.9 })
  })

  it("says what the engine's tools are of it, and nothing where it has none", () => {
    const tool = (name: string) => ({
      ...{ type: 'function', function: { name, description: 'word '.repeat(2_000), parameters: {} } },
    })
    const billOf = (own: readonly string[]) => {
      const meter = newMeter({ strategy: 'off' })
      const hostTools = [tool('run')] as ToolSchema[]
      const tools = [...hostTools, ...own.map(tool)] as ToolSchema[]
      for (const end of [1, 3])
        meter.add({ messages: talk(end), tools, plan: null, transcript: talk(end), hostTools })
      return meter.bill()
    }
    const [without, withOne] = [billOf([]), billOf(['grep'])]
    expect(without.tools).toBe(0)
    expect(withOne.tools).toBeGreaterThan(0)
    expect(withOne.tools).toBeCloseTo(withOne.with - without.with, 12)
  })

  it('ends pricing the whole history where that takes too long', () => {
    const meter = newMeter()
    const history: Message[] = Array.from({ length: 10_001 }, () => ({ role: 'user', content: 'a' }))
    meter.add({ messages: talk(1), tools: [], plan: null, transcript: history, hostTools: [] })
    expect(meter.bill().without).toBeNull()
  })
})

describe('what summaries cost', () => {
  it('is what their models reported, at their own prices, cache reads as such', async () => {
    const { input, output, read } = findPricing({ model: 'gemini-2.5-flash' })
    const cached = { ...usage, cacheReadTokens: 500_000 }
    const model = modelOf('gemini:gemini-2.5-flash', [usage, cached])
    const summaries = await summariesOf(model, 2)
    expect(summaries).toEqual({
      ...{ requests: 2, isPaid: true },
      usd: expect.closeTo(input * (1 + 0.5 + 0.5 * read) + (2 * output) / 10, 9),
    })
  })

  it.each([
    ['no model was asked', 'gemini:gemini-2.5-flash', [], 0],
    ['its price is not known', 'house:unpriced', [usage], 1],
    ['one call was not reported', 'gemini:gemini-2.5-flash', [usage, undefined], 2],
  ])('is what the session’s model would charge, where %s', async (_, name, usages, calls) => {
    const { summary, result } = compaction('It was long.')
    const written = tokens.countMessage(summary)
    const replaced = result.tokensBefore - result.tokensAfter + written
    expect(await summariesOf(modelOf(name, usages), calls)).toEqual({
      ...{ requests: 1, isPaid: false },
      usd: expect.closeTo((replaced * prices.input + written * prices.output) / 1e6, 12),
    })
  })

  it.each([
    [0, true],
    [300_000, true],
    [300_001, false],
  ])('is that of reading the last prompt from the cache, which is held after %i ms: %s', (pause, isHeld) => {
    let now = 0
    const meter = createBillMeter({ prices, tokens, clock: { now: () => now } })
    const expected = { read: 20_000, write5m: 10_000, write1h: 0, uncached: 0, usd: 0 }
    meter.add({
      ...{ messages: talk(1), tools: [], plan: { breakpoints: [], expected } },
      ...{ transcript: [], hostTools: [] },
    })
    now += pause
    const { summary, result } = compaction('It was long.')
    meter.compacted(result)
    const written = tokens.countMessage(summary)
    const replaced = result.tokensBefore - result.tokensAfter + written
    const input = isHeld ? 30_000 * prices.read : replaced
    const usd = (input * prices.input + written * prices.output) / 1e6
    expect(meter.bill().summaries.usd).toBeCloseTo(usd, 12)
  })

  it('is part of the bill, and counts each summary once', () => {
    const meter = newMeter()
    const { result } = compaction('It was long.')
    for (const each of [result, result, compaction('It was longer.').result]) meter.compacted(each)
    const { summaries, with: all } = meter.bill()
    expect(summaries.requests).toBe(2)
    expect(all).toBe(summaries.usd)
  })

  it('is by what the engine says that it wrote, where it does', () => {
    const details = { summaries_written: { count: 6, read: 1_000_000, tokens: 100_000 } }
    expect(newMeter().bill(details).summaries).toEqual({
      ...{ requests: 6, isPaid: false },
      usd: expect.closeTo(prices.input + prices.output / 10, 9),
    })
  })
})
