import { expect, it } from 'vitest'
import { idRanges } from '../../src/cli/people-reporter.ts'

const order = ['C01', 'C02', 'C03', 'C04', 'C06', 'L01', 'L02', 'L03']

it.each([
  [['C01'], 'C01'],
  [['C01', 'C02'], 'C01, C02'],
  [['C01', 'C03', 'C04', 'C06'], 'C01, C03 to C06'],
  [['C04', 'C06', 'L01', 'L02', 'L03'], 'C04, C06, L01 to L03'],
])('%j is %s', (ids, text) => {
  expect(idRanges(ids, order)).toBe(text)
})
