import { describe, expect, it } from 'vitest'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { answer, calls, layoutOf, TEST_PRICING, type TestMessage, user } from '../layouts.ts'
import { playSession } from './play-session.ts'

const MINUTE = 60_000
/** Like Gemini 2.5 Pro: an hour of storage costs 3.6 times the input. */
const GEMINI: CachePricing = {
  ...TEST_PRICING,
  matching: 'exact',
  lookback: 1,
  maxBreakpoints: 1,
  sliding: false,
  minimumTokens: 2048,
  short: { ttl: '1h', seconds: 3600, write: 4.6 },
}
const { long: _, ...PRICING } = GEMINI
const system = [{ text: 'system', tokens: 20_000 }]

/** Requests with the same pause between them; each adds a question and an answer of `tokens`. */
function play(count: number, pauseMs: number, tokens = 500) {
  const session = playSession(PRICING)
  const messages: TestMessage[] = []
  return Array.from({ length: count }, (_, index) => {
    messages.push(user(`ask ${index}`, 100))
    const sent = session.send(layoutOf({ system, messages: [...messages] }), index * pauseMs)
    messages.push(answer(`answer ${index}`, tokens))
    return sent
  })
}
const reasons = (sent: ReturnType<typeof play>) =>
  sent.map(({ plan }) => plan.anchors.map(({ reason }) => reason).join())

describe('explicit caches', () => {
  it('are made once as many reads are expected as pay for the storage, and kept', () => {
    const sent = play(8, 2 * MINUTE)
    expect(reasons(sent)).toEqual(['', '', '', '', 'boundary', 'sticky', 'sticky', 'sticky'])
    expect(sent[4]?.served.bill.write5m).toBe(22_400)
    expect(sent[7]?.served.bill).toMatchObject({ read: 22_400, uncached: 1900 })
  })

  it('are not made when requests are too rare', () => {
    expect(new Set(reasons(play(12, 20 * MINUTE)))).toEqual(new Set(['']))
  })

  it('are never made at the very end of a request, nor between calls and their results', () => {
    const session = playSession(PRICING)
    const messages: TestMessage[] = [user('ask', 100), answer('yes', 100)]
    for (let index = 0; index < 4; index++) session.send(layoutOf({ system, messages }), index * MINUTE)
    messages.push(user('do it', 100), ...calls('many', 3, 100))
    const { plan } = session.send(layoutOf({ system, messages }), 5 * MINUTE)
    expect(plan.anchors).toEqual([
      { ref: { at: 'message', index: 3, block: 0 }, ttl: '1h', reason: 'boundary' },
    ])
  })

  it('are renewed when what grew behind them costs more than a new one', () => {
    const sent = play(30, MINUTE, 8000)
    const renewal = reasons(sent).indexOf('renewal')
    console.log(`cache of ${sent[4]?.served.bill.write5m} tokens renewed at request ${renewal + 1}`)
    expect(renewal).toBeGreaterThan(5)
    const before = sent[renewal - 1]?.served.bill
    const after = sent[renewal + 1]?.served.bill
    expect(after?.uncached).toBeLessThan(before?.uncached ?? 0)
    expect(sent.reduce((sum, { served }) => sum + served.bill.usd, 0)).toBeLessThan(
      sent.reduce(
        (sum, { served: { bill } }) => sum + (bill.read + bill.write5m + bill.uncached) / 1_000_000,
        0,
      ),
    )
  })

  it('are made again when they have ended', () => {
    const sent = play(40, 2 * MINUTE)
    expect(reasons(sent).filter((reason) => reason === 'boundary').length).toBeGreaterThanOrEqual(2)
  })
})
