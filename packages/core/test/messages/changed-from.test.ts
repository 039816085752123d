import { expect, it } from 'vitest'
import { changedFrom, type Message } from '../../src/index.ts'

const user = (content: string): Message => ({ role: 'user', content })

it.each([
  [['a', 'b'], ['a', 'b'], 2],
  [['a', 'b'], ['a', 'c'], 1],
  [['a', 'b'], ['a'], 1],
  [['a'], ['a', 'b'], 1],
  [[], ['a'], 0],
])('%j and %j differ from %i on', (before, after, index) => {
  expect(changedFrom(before.map(user), after.map(user))).toBe(index)
})
