import { expect, it } from 'vitest'
import { retryAfterMs } from '../src/index.ts'

it.each([
  ['Rate limit reached. Please try again in 6m0s.', 360_000],
  ['Please try again in 1h2m3.5s', 3_723_500],
  ['Please try again in 1.2s.', 1_200],
  ['Please try again in 20ms.', 20],
  ['Please try again in 5 minutes', 300_000],
  ['try again in 3 milliseconds', 3],
  ['Please retry in 13.5s.', 13_500],
  ['Please retry after 20 seconds.', 20_000],
  ['Please try again in a while', undefined],
  ['try again later', undefined],
])('"%s" is a wait of %s ms', (message, wait) => {
  expect(retryAfterMs({ message })).toBe(wait)
})

it.each([
  [{ 'retry-after-ms': '1500.2', 'retry-after': '9' }, 1_501],
  [{ 'retry-after': ' 2.5 ' }, 2_500],
  [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, 60_000],
  [{}, 60_000],
])('the headers %j win over what is said: %i ms', (headers, wait) => {
  expect(retryAfterMs({ headers, message: 'try again in 1m' })).toBe(wait)
})
