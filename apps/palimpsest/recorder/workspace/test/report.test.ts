import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { offices } from '../src/offices.ts'
import { monthReport, reportCsv, reportText } from '../src/report.ts'
import { lunch, newLedger } from './helpers.ts'

function march() {
  const ledger = newLedger()
  ledger.postAll([
    lunch(),
    lunch({ amount: 2_000 }),
    lunch({ amount: 9_900, vendor: 'Hotel Alfama Norte', category: 'lodging' }),
    lunch({ amount: 700, postedAt: '2026-04-03T12:00:00.000Z' }),
  ])
  return monthReport(ledger, offices.lisbon, '2026-03')
}

describe('monthReport', () => {
  it('adds up each category, largest first', () => {
    assert.deepEqual(march().lines, [
      { category: 'lodging', count: 1, amount: 9_900 },
      { category: 'meals', count: 2, amount: 3_250 },
    ])
    assert.equal(march().total, 13_150)
  })

  it('is empty for a month without entries', () => {
    assert.deepEqual(monthReport(newLedger(), offices.lisbon, '2026-03').lines, [])
  })
})

describe('reportText', () => {
  it('prints a table', () => {
    assert.equal(
      reportText(march()),
      [
        'Lisbon 2026-03',
        'lodging       1          €99.00',
        'meals         2          €32.50',
        'total                   €131.50',
        '',
      ].join('\n'),
    )
  })
})

describe('reportCsv', () => {
  it('writes euros with two decimals', () => {
    assert.equal(reportCsv(march()), 'category,count,amount\nlodging,1,99.00\nmeals,2,32.50\n')
  })
})
