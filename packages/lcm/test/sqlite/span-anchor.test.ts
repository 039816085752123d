import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anchorOf, anchorsAround } from '../../src/sqlite/span-anchor.ts'

const version = fc.oneof(fc.nat(64), fc.nat(100_000), fc.nat(2 ** 31 - 1))

describe('anchorOf', () => {
  it('is a version of the span, and one of those around each version of it', () => {
    fc.assert(
      fc.property(version, version, fc.nat(), (left, right, inner) => {
        const [first, last] = [Math.min(left, right), Math.max(left, right)]
        const anchor = anchorOf(first, last)
        expect(first <= anchor && anchor <= last).toBe(true)
        for (const each of [first, last, anchor, first + (inner % (last - first + 1))])
          expect(anchorsAround(each)).toContain(anchor)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is looked for in as many places as a version has bits', () => {
    for (const each of [0, 1, 2_000, 2 ** 31 - 1]) expect(anchorsAround(each).length).toBeLessThanOrEqual(32)
  })
})
