import { describe, expect, it } from 'vitest'
import { readDate, saidDate } from '../../src/search/said-date.ts'

describe('the date that a text begins with', () => {
  it.each([
    ['[1:56 pm on 8 May, 2023] Ana: hi', '2023-05-08'],
    ['2026-01-31T12:00:05Z started', '2026-01-31T12:00:05Z'],
    ['[2026-01-31 12:00:05] started', '2026-01-31T12:00:05Z'],
    ['March-15-2024: hi', '2024-03-15'],
    ['Date: May 8th, 2023\nhi', '2023-05-08'],
    ['Monday, 8 May 2023 10:00 am - hi', '2023-05-08'],
    ['Session 3, 8 May 2023:', '2023-05-08'],
    ['(2023/05/08) hi', '2023-05-08'],
    ['31.12.2023 - hi', '2023-12-31'],
  ])('is read: %s', (text, date) => {
    expect(saidDate(text)?.at).toBe(Date.parse(date))
  })

  it.each(['I was born on 8 May 1990.', '8 May 1990 was a Tuesday', 'hi [8 May 1990]', '2023', ''])(
    'is none that a text is about: %s',
    (text) => {
      expect(saidDate(text)).toBeUndefined()
    },
  )
})

it.each([
  ['2023', '2023-01-01'],
  ['2023-05', '2023-05-01'],
  ['May 2023', '2023-05-01'],
  ['8 May, 2023', '2023-05-08'],
  ['5.6.2024', '2024-06-05'],
  ['2026-01-31T12:00', '2026-01-31T12:00:00Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00Z'],
])('reads %s as UTC', (text, date) => {
  expect(readDate(text)).toBe(Date.parse(date))
})
