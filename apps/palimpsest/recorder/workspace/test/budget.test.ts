import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { monthBudget } from '../src/budget.ts'
import { offices } from '../src/offices.ts'
import { lunch, newLedger } from './helpers.ts'

describe('monthBudget', () => {
  it('says what is left of each limit', () => {
    const ledger = newLedger()
    ledger.postAll([lunch({ amount: 40_000 }), lunch({ amount: 20_000 })])
    const meals = monthBudget(ledger, offices.lisbon, '2026-03').find((line) => line.category === 'meals')
    assert.deepEqual(meals, { category: 'meals', limit: 90_000, spent: 60_000, left: 30_000 })
  })

  it('gives back what was refunded', () => {
    const ledger = newLedger()
    ledger.postAll([lunch({ amount: 40_000 }), lunch({ amount: -15_000 })])
    const meals = monthBudget(ledger, offices.lisbon, '2026-03').find((line) => line.category === 'meals')
    assert.equal(meals?.left, 65_000)
  })

  it('looks at one month and one office', () => {
    const ledger = newLedger()
    ledger.postAll([lunch({ postedAt: '2026-02-10T12:00:00.000Z' }), lunch({ office: 'tokyo', currency: 'JPY' })])
    assert.ok(monthBudget(ledger, offices.lisbon, '2026-03').every((line) => line.spent === 0))
  })
})
