import { roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  measurePauses,
  type PausesRow,
  patternPauses,
  pausesSection,
  recordedPauses,
} from '../../src/cost/measure-pauses.ts'
import { generateConversation } from '../../src/workload/conversation.ts'
import { recorded } from './recorded.ts'

const MINUTE = 60_000

/** Recorded sessions of one user, who comes back after some minutes now and then. */
function sessions(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const messages = generateConversation({ seed: index + 1, messages: 90 })
    let at = 0
    const times = messages.map((_message, place) => {
      at += place % 30 === 10 + index ? 8 * MINUTE : MINUTE / 6
      return at
    })
    return { ...recorded(messages, times), name: `session ${index}` }
  })
}

const group = (rows: readonly PausesRow[], wanted: string) => rows.filter((row) => row.group === wanted)

describe('lifetimes and pings with pauses', () => {
  it('is within its promises on sessions that pause as others before did', async () => {
    const rows = measurePauses(await recordedPauses(sessions(3), roughTokenCounter))
    expect(new Set(rows.map((row) => row.group))).toEqual(new Set(['full', 'lcm']))
    for (const row of group(rows, 'full')) {
      const text = JSON.stringify(row)
      expect(row.longPauses, text).toBeGreaterThan(1)
      expect(row.auto / Math.min(row.short, row.long), text).toBeLessThanOrEqual(1.02)
      expect(row.auto / row.bound, text).toBeLessThanOrEqual(1.1)
      expect(row.pings / row.pingedBound, text).toBeLessThanOrEqual(1.05)
    }
    for (const row of group(rows, 'lcm'))
      expect(row.auto / Math.min(row.short, row.long), JSON.stringify(row)).toBeLessThanOrEqual(1.02)
    for (const { bound, pingedBound, short, long, auto, untaught, pings } of rows) {
      expect(pingedBound).toBeLessThanOrEqual(bound * 1.000001)
      expect(bound).toBeLessThanOrEqual(Math.min(short, long, auto, untaught) * 1.000001)
      expect(pingedBound).toBeLessThanOrEqual(pings * 1.000001)
    }
  })

  it('is near the better lifetime with made-up pauses, whichever that is', () => {
    const rows = measurePauses(patternPauses(3, [600, 300, 400]))
    expect(new Set(rows.map((row) => (row.short < row.long ? '5m' : '1h'))).size).toBe(2)
    for (const row of rows) {
      expect(row.auto / Math.min(row.short, row.long), JSON.stringify(row)).toBeLessThanOrEqual(1.1)
      expect(row.pings, JSON.stringify(row)).toBeLessThanOrEqual(row.auto * 1.1)
    }
    expect(pausesSection(rows).table?.rows).toHaveLength(rows.length)
  })
})
