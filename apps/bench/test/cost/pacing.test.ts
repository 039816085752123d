import { describe, expect, it } from 'vitest'
import { createPace, exampleTimes } from '../../src/cost/session-layouts.ts'

const MINUTE = 60_000

describe('the pace of a session', () => {
  it('has a pause of 8 minutes before every fourth message of the user, and of 40 before every twelfth', () => {
    const pace = createPace('with pauses')
    const waits = Array.from({ length: 12 }, () => pace.next(true) / MINUTE)
    expect(waits).toEqual([1, 1, 1, 8, 1, 1, 1, 8, 1, 1, 1, 40])
    expect(pace.next(false)).toBeLessThan(MINUTE)
  })

  it('never lets the cache lapse when it is steady', () => {
    const pace = createPace('steady')
    for (let turn = 0; turn < 30; turn++) expect(pace.next(turn % 2 === 0)).toBeLessThan(5 * MINUTE)
    const times = exampleTimes('steady', 60)
    expect(times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) < 5 * MINUTE)).toBe(true)
  })

  it('of the worked example has pauses of 8, 8 and 40 minutes', () => {
    const times = exampleTimes('with pauses', 60)
    const waits = times.map((at, index) => (at - (times[index - 1] ?? 0)) / MINUTE)
    expect(waits.filter((wait) => wait > 5)).toEqual([8, 8, 40])
  })
})
