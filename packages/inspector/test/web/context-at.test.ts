import { expect, test } from 'vitest'
import { contextAt } from '../../web/src/data/contexts.ts'

test('a context goes on from the one before, as far as that was kept', () => {
  const requests = [
    { kept: 0, added: [0, 1] },
    { kept: 2, added: [2, 3] },
    { kept: 1, added: [4, 3] },
    { kept: 9, added: [] },
  ]
  const contexts = [[0, 1], [0, 1, 2, 3], [0, 4, 3], [0, 4, 3], [], []]
  expect(contexts.map((_, request) => contextAt(requests, request))).toEqual(contexts)
  expect(contextAt(requests, -1)).toEqual([])
})
