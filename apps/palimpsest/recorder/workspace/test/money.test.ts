import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatAmount, parseAmount, splitEvenly } from '../src/money.ts'

describe('parseAmount', () => {
  it('reads euros as cents', () => {
    assert.equal(parseAmount('1,234.50', 'EUR'), 123_450)
    assert.equal(parseAmount('0.07', 'EUR'), 7)
    assert.equal(parseAmount('12', 'EUR'), 1_200)
  })

  it('reads yen as yen', () => {
    assert.equal(parseAmount('12,800', 'JPY'), 12_800)
    assert.equal(parseAmount('-980', 'JPY'), -980)
  })

  it('never goes through a float', () => {
    assert.equal(parseAmount('1.15', 'EUR'), 115)
    assert.equal(parseAmount('4.35', 'EUR'), 435)
    assert.equal(parseAmount('90071992547409.91', 'EUR'), 9_007_199_254_740_991)
  })

  it('refuses what is not an amount', () => {
    for (const text of ['', '12,5O', '1,23', '1.234', '--5', '1e3', '90071992547409.92']) {
      assert.throws(() => parseAmount(text, 'EUR'), { code: 'bad-amount' }, text)
    }
    assert.throws(() => parseAmount('100.5', 'JPY'), { code: 'bad-amount' })
  })
})

describe('formatAmount', () => {
  it('prints cents with two decimals and groups of three', () => {
    assert.equal(formatAmount(123_450, 'EUR'), '€1,234.50')
    assert.equal(formatAmount(-7, 'EUR'), '-€0.07')
  })

  it('prints yen without decimals', () => {
    assert.equal(formatAmount(12_800, 'JPY'), '¥12,800')
    assert.equal(formatAmount(0, 'JPY'), '¥0')
  })
})

describe('splitEvenly', () => {
  it('adds up to the amount', () => {
    assert.deepEqual(splitEvenly(1_000, 3), [334, 333, 333])
    assert.deepEqual(splitEvenly(-1_000, 3), [-334, -333, -333])
  })
})
