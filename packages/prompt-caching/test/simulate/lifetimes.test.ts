import { describe, expect, it } from 'vitest'
import type { CacheRequest } from '../../src/cache/cache-state.ts'
import { simulate } from '../../src/simulate/simulate.ts'
import { layoutOf, TEST_PRICING, user } from '../layouts.ts'
import { conversation, MINUTE, onSystem, reads, SECOND, tail } from './session-kit.ts'

describe('how long it lives', () => {
  const layout = layoutOf({ messages: conversation(10) })

  it('case 30: time counts from the start of a request, so that a generation of four minutes is part of it', () => {
    const first = { layout, at: 0, firstTokenMs: 2 * SECOND }
    const answerEnds = 4 * MINUTE
    expect(reads([first, { layout, at: answerEnds + 59 * SECOND }])[1]).toBe(2000)
    expect(reads([first, { layout, at: answerEnds + 61 * SECOND }])[1]).toBe(0)
  })

  it('case 31: reading keeps it for another lifetime: 299 s hit, 301 s miss', () => {
    const times = [0, 299, 598, 598 + 301].map((second) => ({ layout, at: second * SECOND }))
    expect(reads(times)).toEqual([0, 2000, 2000, 0])
  })

  it('case 32: twins that start together both write, and so does one before the answer begins', () => {
    const twin = { layout, at: 0, firstTokenMs: 2 * SECOND }
    expect(reads([twin, twin, { layout, at: SECOND }, { layout, at: 3 * SECOND }])).toEqual([0, 0, 0, 2000])
  })

  it('what every request reads outlives a hundred tails behind it', () => {
    const system = [{ text: 'system', tokens: 2000 }]
    const head = layoutOf({ system, messages: [] })
    const requests: CacheRequest[] = Array.from({ length: 100 }, (_, index) => {
      const each = layoutOf({ system, messages: [user(`question ${index}`, 100)] })
      return { layout: each, markers: [onSystem(each), tail(each)], at: index * SECOND }
    })
    const last = { layout: head, markers: [onSystem(head)], at: 101 * SECOND }
    expect(simulate([...requests, last], TEST_PRICING).bills.at(-1)).toMatchObject({ read: 2000 })
  })
})
