import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingList } from '../src/growing-list.ts'

test('lists that go on from one another never change, whichever of them goes on next', () => {
  const choice = fc.array(fc.record({ from: fc.nat(), value: fc.nat(3), cut: fc.nat() }), { maxLength: 30 })
  fc.assert(
    fc.property(choice, (steps) => {
      const all = [{ list: new GrowingList<number>(), values: [] as number[] }]
      for (const { from, value, cut } of steps) {
        const before = all[from % all.length] ?? { list: new GrowingList<number>(), values: [] }
        const count = cut % (before.values.length + 1)
        all.push({ list: before.list.first(count), values: before.values.slice(0, count) })
        all.push({ list: before.list.with(value), values: [...before.values, value] })
      }
      for (const { list, values } of all) {
        expect(list.slice()).toEqual(values)
        expect([list.length, list.at(-1), list.at(values.length)]).toEqual([
          values.length,
          values.at(-1),
          undefined,
        ])
        expect(values.map((_, index) => list.at(index))).toEqual(values)
        expect(list.slice(2)).toEqual(values.slice(2))
      }
    }),
  )
})
