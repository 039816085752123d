import { describe, expect, it } from 'vitest'
import type { CacheRequest } from '../../src/cache/cache-state.ts'
import type { CachePricing } from '../../src/pricing/cache-pricing.ts'
import { simulate } from '../../src/simulate/simulate.ts'
import { answer, layoutOf, TEST_PRICING, type TestMessage, user } from '../layouts.ts'
import { at, conversation, EXACT, MINUTE, onSystem, reads, SECOND, tail } from './session-kit.ts'

describe('what loses the cache', () => {
  const tools = ['a', 'b', 'c'].map((text) => ({ text, tokens: 400 }))
  const system = [{ text: 'system', tokens: 1200 }]
  const messages = conversation(10)

  /** The tokens read when only this differs; breakpoints stand on the system prompt and at the end. */
  function readAfter(
    before: Parameters<typeof layoutOf>[0],
    after: Parameters<typeof layoutOf>[0],
    pricing = TEST_PRICING,
  ): number | undefined {
    const requests = [before, after].map((request, index) => {
      const layout = layoutOf(request, pricing)
      return { layout, markers: [onSystem(layout), tail(layout)], at: index * SECOND }
    })
    return simulate(requests, pricing).bills[1]?.read
  }

  it('case 33: another order of the tools loses everything', () => {
    expect(readAfter({ tools, system, messages }, { tools, system, messages })).toBe(4400)
    expect(readAfter({ tools, system, messages }, { tools: tools.toReversed(), system, messages })).toBe(0)
  })

  it('case 35: another effort loses the messages, and on some models tools and system prompt too', () => {
    const request = (effort: string) => ({ tools, system, messages, settings: { effort } })
    expect(readAfter(request('low'), request('high'))).toBe(2400)
    expect(readAfter(request('low'), request('high'), { ...TEST_PRICING, effortChangesAll: true })).toBe(0)
  })

  it('case 36: where older thinking is stripped, a new question loses what stood behind it', () => {
    const turn: TestMessage[] = [
      user('question', 1500),
      {
        role: 'assistant',
        blocks: [
          { text: 'hm', tokens: 400, kind: 'thinking' },
          { text: 'call', tokens: 100, kind: 'tool-use' },
        ],
      },
      { role: 'tool', blocks: [{ text: 'result', tokens: 1000, kind: 'tool-result' }] },
    ]
    const requests = (pricing: CachePricing): CacheRequest[] =>
      [turn.slice(0, 1), turn, [...turn, answer('done', 50), user('next', 50)]].map((made, index) => {
        const layout = layoutOf({ messages: made }, pricing)
        return { layout, markers: [at(layout, 0), tail(layout)], at: index * SECOND }
      })
    const read = (pricing: CachePricing) =>
      simulate(requests(pricing), pricing).bills.map((bill) => bill.read)
    expect(read(TEST_PRICING)).toEqual([0, 1500, 3000])
    expect(read({ ...TEST_PRICING, keepsThinking: false })).toEqual([0, 1500, 1500])
  })

  it('case 37: another model has another cache', () => {
    const request = (model: string) => ({ tools, system, messages, settings: { model } })
    expect(readAfter(request('one'), request('one'))).toBe(4400)
    expect(readAfter(request('one'), request('two'))).toBe(0)
  })

  it('case 38: a clock in the system prompt means that nothing is ever read', () => {
    const requests = Array.from({ length: 10 }, (_, index) => {
      const clock = [{ text: `It is 12:0${index}.`, tokens: 1200 }]
      const layout = layoutOf({ system: clock, messages: conversation(5 + index) })
      return { layout, markers: [onSystem(layout), tail(layout)], at: index * MINUTE }
    })
    const { total } = simulate(requests, TEST_PRICING)
    expect(total.read).toBe(0)
    expect(total.write5m).toBe(requests.reduce((sum, { layout }) => sum + layout.tokens, 0))
  })

  it('case 40: on exact boundaries, a message that was extended is another one', () => {
    const question = (text: string, tokens: number) =>
      layoutOf({ messages: [...messages, user(text, tokens)] })
    const requests = [
      { layout: question('What', 300), at: 0 },
      { layout: question('What is this?', 400), at: SECOND },
    ]
    expect(reads(requests, EXACT)).toEqual([0, 0])
    expect(
      reads(
        [requests[0], requests[0]].flatMap((each, i) => (each ? [{ ...each, at: i * SECOND }] : [])),
        EXACT,
      ),
    ).toEqual([0, 2300])
  })

  it('case 41: what was cached at the end of a message is not found by a breakpoint elsewhere', () => {
    const layout = layoutOf({ system, messages })
    const implicit = { layout, markers: [at(layout, 10)], at: 0 }
    const explicit = { layout, markers: [onSystem(layout)], at: SECOND }
    const both = { layout, markers: [onSystem(layout), at(layout, 10)], at: 2 * SECOND }
    const { bills } = simulate([implicit, explicit, both], EXACT)
    expect(bills.map(({ read, write5m }) => [read, write5m])).toEqual([
      [0, 3200],
      [0, 1200],
      [3200, 0],
    ])
  })
})
