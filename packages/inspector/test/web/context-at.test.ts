import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createContextAt } from '../../web/src/data/contexts.ts'

const change = fc.record({ kept: fc.nat(12), added: fc.array(fc.nat(500), { maxLength: 4 }) })

test('the context at any request is the one that was built up from the first', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 300 }), fc.nat(), (requests, choice) => {
      const index = choice % requests.length
      const expected = requests
        .slice(0, index + 1)
        .reduce<number[]>((context, { kept, added }) => [...context.slice(0, kept), ...added], [])
      expect(createContextAt(requests)(index)).toEqual(expected)
    }),
  )
})

test('behind the last request there is no context', () => {
  const contextAt = createContextAt([{ kept: 0, added: [0, 1] }])
  expect(contextAt(0)).toEqual([0, 1])
  expect(contextAt(1)).toEqual([])
  expect(contextAt(64)).toEqual([])
  expect(createContextAt([])(0)).toEqual([])
})
