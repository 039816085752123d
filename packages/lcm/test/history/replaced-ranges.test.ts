import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  countLive,
  isReplaced,
  nextLive,
  rangesBefore,
  replaceFrom,
} from '../../src/history/replaced-ranges.ts'
import type { SeqRange } from '../../src/store/lcm-session.ts'

it('agrees with a list of numbers, whatever was replaced in whichever order', () => {
  const number = fc.nat({ max: 40 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number, number), { maxLength: 8 }),
      number,
      number,
      (edits, first, last) => {
        const model = new Set<number>()
        let ranges: readonly SeqRange[] = []
        let end = 0
        for (const [from, more] of edits) {
          // An edit replaces everything from a number to the last one.
          end += more
          for (let seq = from; seq < end; seq++) model.add(seq)
          ranges = replaceFrom(ranges, from, end - 1)
        }
        const live = (seq: number) => !model.has(seq)
        const all = Array.from({ length: 400 }, (_, seq) => seq)
        expect(all.map((seq) => isReplaced(ranges, seq))).toEqual(all.map((seq) => !live(seq)))
        expect(countLive(ranges, first, last)).toBe(
          all.filter((seq) => seq >= first && seq <= last && live(seq)).length,
        )
        expect(nextLive(ranges, first)).toBe(all.find((seq) => seq >= first && live(seq)))
        const before = rangesBefore(ranges, first)
        expect(all.filter((seq) => isReplaced(before, seq))).toEqual(
          all.filter((seq) => seq < first && !live(seq)),
        )
        const touching = ranges.some((range, index) => range.first <= (ranges[index - 1]?.last ?? -2) + 1)
        expect(touching).toBe(false)
      },
    ),
    { numRuns: 500 },
  )
})
