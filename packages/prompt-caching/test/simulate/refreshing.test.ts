import { describe, expect, it } from 'vitest'
import { EMPTY_CACHE } from '../../src/cache/cache-state.ts'
import { serveRequest } from '../../src/cache/serve-request.ts'
import { layoutOf, TEST_PRICING, user } from '../layouts.ts'

const SECOND = 1000
const messages = Array.from({ length: 6 }, (_, index) => user(`message ${index}`, 1000))
const layout = layoutOf({ system: [{ text: 'system', tokens: 2000 }], messages })
const end = layout.blocks.length - 1
const marked = (...blocks: number[]) => blocks.map((block) => ({ block, ttl: '5m' as const }))

describe('reading from the cache', () => {
  it('cases 28 and 31: keeps alive what was hit and what is marked, and nothing between', () => {
    const first = serveRequest(
      { layout, markers: marked(end - 5, end - 3, end), at: 0 },
      EMPTY_CACHE,
      TEST_PRICING,
    )
    const second = serveRequest(
      { layout, markers: marked(end - 5, end), at: 200 * SECOND },
      first.state,
      TEST_PRICING,
    )
    const usedAt = new Map(second.state.entries.map((entry) => [entry.block, entry.usedAt]))
    expect(usedAt.get(end)).toBe(200 * SECOND)
    expect(usedAt.get(end - 5)).toBe(200 * SECOND)
    expect(usedAt.get(end - 3)).toBe(0)
    const rewound = (block: number) =>
      serveRequest({ layout, markers: marked(block), at: 400 * SECOND }, second.state, TEST_PRICING).bill.read
    expect(rewound(end)).toBe(layout.ends[end])
    expect(rewound(end - 3)).toBe(layout.ends[end - 5])
  })

  it('short prompts do not push out a long one where the provider caches by itself', () => {
    const pricing = { ...TEST_PRICING, matching: 'prefix', maxBreakpoints: 0 } as const
    let { state } = serveRequest({ layout, markers: [], at: 0 }, EMPTY_CACHE, pricing)
    for (let index = 0; index < 5; index++) {
      const short = layoutOf({ messages: [user(`short ${index}`, 100)] })
      state = serveRequest({ layout: short, markers: [], at: (index + 1) * SECOND }, state, pricing).state
    }
    const again = serveRequest({ layout, markers: [], at: 10 * SECOND }, state, pricing)
    expect(again.bill.read).toBe(layout.ends[end])
  })
})
