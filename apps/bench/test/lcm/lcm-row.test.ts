import { describe, expect, it } from 'vitest'
import { judge, type LcmRow } from '../../src/lcm/lcm-row.ts'

const row = (messages: number, measured: number): LcmRow =>
  judge({ operation: 'search', messages, unit: 'ms', measured, floor: 2, against: 'SQL', target: 5 })

describe('judge', () => {
  it('passes what is at its target, and not what is above', () => {
    expect(row(1000, 10)).toMatchObject({ ratio: 5, passed: true })
    expect(row(1000, 10.1).passed).toBe(false)
  })

  it('wants counts to agree exactly', () => {
    const counts = {
      operation: 'found',
      messages: 1,
      unit: 'messages',
      against: 'a scan',
      exactly: 1,
    } as const
    expect(judge({ ...counts, measured: 40, floor: 40 }).passed).toBe(true)
    expect(judge({ ...counts, measured: 39, floor: 40 }).passed).toBe(false)
    expect(judge({ ...counts, measured: 41, floor: 40 }).passed).toBe(false)
  })

  it('judges nothing without a promise', () => {
    const { operation, messages, unit, measured, floor, against } = row(1, 4)
    expect(judge({ operation, messages, unit, measured, floor, against }).passed).toBeUndefined()
  })
})
