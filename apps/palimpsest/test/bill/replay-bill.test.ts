import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, roughTokenCounter as tokens } from '@palimpsest/core'
import { type CacheSetting, findPricing } from '@palimpsest/prompt-caching'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReplayBill } from '../../src/bill/replay-bill.ts'
import { runHere } from '../lcm/run-here.ts'
import { startFakeGemini } from '../serve/fake-gemini.ts'
import { priceFile } from './price-file.ts'

const SYSTEM: Message = { role: 'system', content: 'Be terse. '.repeat(2000) }

/** The plans of two requests, the second of which begins with the first. */
function plansOf(setting: CacheSetting, strategy?: 'system_and_3') {
  const profile = findPricing({ model: 'claude-sonnet-5-5' })
  const prices = { profile, file: null, note: null }
  const bill = createReplayBill({
    ...{ prices, setting, tokens, model: undefined, known: () => undefined },
    ...(strategy && { strategy }),
  })
  const messages: Message[] = [SYSTEM, { role: 'user', content: 'Which port?' }]
  const plans = [1, 2].map((turn) => {
    bill.start(turn * 20_000)
    messages.push({ role: 'assistant', content: '4711' }, { role: 'user', content: `Sure? ${turn}` })
    return bill.planner.plan({ messages: [...messages], tools: [] })
  })
  return { plans, report: bill.report() }
}

describe('the planner of a replay', () => {
  it('places breakpoints, and the second request reads the first', () => {
    const [first, second] = plansOf('5m').plans
    expect(first?.anchors.map(({ ttl }) => ttl)).toContain('5m')
    expect(second?.expected.read).toBeGreaterThan(4000)
  })

  it('places those that live an hour when that is set', () => {
    const [first] = plansOf('1h').plans
    expect(new Set(first?.anchors.map(({ ttl }) => ttl))).toEqual(new Set(['1h']))
  })

  it('places those of the strategy that is set', () => {
    const reasons = (strategy?: 'system_and_3') =>
      plansOf('5m', strategy).plans[1]?.anchors.map(({ reason }) => reason)
    expect(reasons('system_and_3')).toEqual(['system', 'last-messages', 'last-messages', 'last-messages'])
    expect(reasons()).toEqual(['static-head', 'sticky', 'tail'])
  })

  it('places nothing and reads nothing when it is off; the bill has what the strategies would cost', () => {
    const { plans, report } = plansOf('off')
    expect(plans.flatMap(({ anchors }) => anchors)).toEqual([])
    expect(plans.map(({ expected }) => expected.read)).toEqual([0, 0])
    const paid = plans.reduce((sum, { expected }) => sum + expected.usd, 0)
    expect(report.uncached).toBeCloseTo(paid, 12)
    expect(report).toEqual({ ...plansOf('5m').report, notes: report.notes })
    expect(report.sticky).toBeLessThan(report.uncached)
  })
})

describe('a replay with a summariser', () => {
  afterEach(() => vi.unstubAllEnvs())

  it("has its calls in the bill, at the user's own prices", async () => {
    const gemini = await startFakeGemini()
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} ${'what then, my friend? '.repeat(60)}`,
    }))
    const write = (name: string, text: string) => writeFile(join(folder, name), text)
    await write('session.jsonl', messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
    await write(
      'prices.json',
      JSON.stringify(priceFile('house', [{ id: 'gemini-of-the-house', input: 10, output: 100, cached: 1 }])),
    )
    vi.stubEnv('GEMINI_API_KEY', 'test-key-0123456789')
    const flags = [
      '--window',
      '16000',
      '--json',
      '--model',
      'gemini:gemini-of-the-house',
      '--base-url',
      gemini.baseUrl,
      '--provider',
      'openai',
    ]
    const priced = await runHere(['replay', 'session.jsonl', ...flags, '--prices', 'prices.json'], folder)
    const calls = gemini.requests.length
    const unpriced = await runHere(['replay', 'session.jsonl', ...flags], folder)
    await rm(folder, { recursive: true })
    expect(calls).toBeGreaterThan(0)
    expect(priced.stderr).toBe('')
    // 1,000 tokens of prompt and 80 of the answer for each call.
    expect(JSON.parse(priced.stdout).bill.summaries.usd).toBeCloseTo(
      (calls * (1000 * 10 + 80 * 100)) / 1e6,
      12,
    )
    expect(JSON.parse(unpriced.stdout).bill.summaries.usd).toBeNull()
  })
})
