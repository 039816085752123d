import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeRoute, formatRoute, PAGES, parseRoute } from '../../web/src/route.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => value.toWellFormed())

test('every place has an address that leads back to it', () => {
  const route = fc.record(
    {
      session: text,
      page: fc.constantFrom(...PAGES),
      request: fc.nat(100_000),
      message: fc.nat(100_000),
      node: text,
      decision: text,
      other: text,
      query: text,
      tool: text,
      only: text,
      as: fc.constant('written'),
    },
    { requiredKeys: ['session', 'page'] },
  )
  fc.assert(
    fc.property(route, (place) => {
      expect(parseRoute(formatRoute(place))).toEqual(place)
    }),
  )
})

test('an address names requests and messages as people count them', () => {
  expect(formatRoute({ session: 'a/b', page: 'context', request: 11 })).toBe('/a%2Fb/context/request/12')
  expect(parseRoute('/a/transcript/message/244')).toEqual({ session: 'a', page: 'transcript', message: 243 })
})

test('a change takes what is undefined out of the address', () => {
  const route = { session: 'a', page: 'transcript', query: 'x', tool: 'bash' } as const
  expect(changeRoute(route, { query: 'y', tool: undefined })).toEqual({ page: 'transcript', query: 'y' })
})

test.each([
  ['', { page: 'timeline' }],
  ['/', { page: 'timeline' }],
  ['/a', { session: 'a', page: 'timeline' }],
  ['/%E0%A4%A/context', { session: '%E0%A4%A', page: 'context' }],
])('a short address leads somewhere: %s', (path, route) => {
  expect(parseRoute(path)).toEqual(route)
})

test.each([
  ['/a/nowhere', 'timeline'],
  ['/a/context/request/-3/message/x', 'context'],
  ['/a/transcript/line/3/query', 'transcript'],
])('what the page does not know of an address is left out: %s', (path, page) => {
  expect(parseRoute(path)).toEqual({ session: 'a', page })
})
