import { describe, expect, it } from 'vitest'
import { notMeasured } from '../../src/speed/not-measured.ts'
import { sizesIn } from '../../src/speed/size-limits.ts'

describe('notMeasured', () => {
  it('says that ripgrep is missing', () => {
    expect(notMeasured([1_000, 10_000], undefined).join('\n')).toMatch(/ripgrep: it is not installed/)
  })

  it('says where a kind of measurement stops, and why, for each that stops', () => {
    const ripgrep = { path: '', version: '', countLines: async () => 0 }
    expect(notMeasured([500, 1_000], ripgrep)).toEqual([])
    const left = notMeasured([1_000, 1_000_000], ripgrep)
    expect(left).toHaveLength(4)
    expect(left[2]).toMatch(/^requests of engines .* above [\d,]+ messages: .*memory/)
    expect(sizesIn('lists', [1_000, 10_000, 10_001])).toEqual([1_000, 10_000])
    expect(notMeasured([1_000], ripgrep).join()).toMatch(/two sizes/)
  })
})
