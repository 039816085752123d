import { describe, expect, it } from 'vitest'
import { requestTimes } from '../../src/cost/request-times.ts'
import { recorded } from './recorded.ts'

const MINUTE = 60_000
const question = { role: 'user', content: 'And now?' } as const
const answer = { role: 'assistant', content: 'Done.' } as const

const timesOf = (...input: Parameters<typeof recorded>) => [...requestTimes(recorded(...input).entries)]

describe('the times of requests', () => {
  it('are those of what they answer; a first message of the assistant is no request', () => {
    const times = [1e12, 1e12 + 5, 1e12 + 7, 1e12 + 40 * MINUTE, 1e12 + 41 * MINUTE]
    expect(timesOf([answer, question, answer, question, answer], times)).toEqual([
      [2, 1e12 + 5],
      [4, 1e12 + 40 * MINUTE],
    ])
  })

  it('keep a steady pace that the cache outlives where the recording has none', () => {
    const times = timesOf([question, answer, question, answer, answer]).map(([, at]) => at)
    expect(times).toHaveLength(3)
    for (const [index, at] of times.entries()) {
      expect(at).toBeGreaterThan(times[index - 1] ?? 0)
      expect(at - (times[index - 1] ?? 0)).toBeLessThan(5 * MINUTE)
    }
  })

  it('have no pause between the part of a recording that has no times and the part that has them', () => {
    const half = recorded([question, answer, question, answer]).entries
    const entries = half.map((entry, index) => (index < 2 ? entry : { ...entry, timestamp: 1e12 }))
    const [first, second] = [...requestTimes(entries).values()]
    expect((second ?? 0) - (first ?? 0)).toBeLessThan(5 * MINUTE)
    expect(second).toBeGreaterThan(first ?? 0)
  })
})
