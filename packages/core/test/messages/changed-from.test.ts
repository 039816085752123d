import { expect, it } from 'vitest'
import { changedFrom, findLastUser, type Message, renderSummary } from '../../src/index.ts'

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

it('finds the last message that the user wrote, and no summary', () => {
  const summary = user(renderSummary('what was said'))
  expect(findLastUser([user('a'), { role: 'assistant', content: 'b' }, summary])).toBe(0)
  expect(findLastUser([summary])).toBe(-1)
})
