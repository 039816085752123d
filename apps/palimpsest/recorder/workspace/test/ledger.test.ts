import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lunch, newLedger } from './helpers.ts'

describe('ledger', () => {
  it('gives every entry the next id', () => {
    const ledger = newLedger()
    assert.deepEqual(
      ledger.postAll([lunch(), lunch(), lunch()]).map((entry) => entry.id),
      ['E-000001', 'E-000002', 'E-000003'],
    )
  })

  it('finds an entry by its id', () => {
    const ledger = newLedger()
    const entry = ledger.post(lunch({ note: 'with the auditors' }))
    assert.deepEqual(ledger.get(entry.id), entry)
    assert.throws(() => ledger.get('E-000099'), { code: 'not-found' })
  })

  it('reverses an entry once', () => {
    const ledger = newLedger()
    const entry = ledger.post(lunch())
    const reversal = ledger.reverse(entry.id, 'paid twice')
    assert.equal(reversal.amount, -1_250)
    assert.equal(reversal.reverses, entry.id)
    assert.equal(reversal.postedAt, '2026-04-02T10:00:00.000Z')
    assert.throws(() => ledger.reverse(entry.id, 'again'), { code: 'already-reversed' })
  })

  it('lists by office, month, category and part of the vendor', () => {
    const ledger = newLedger()
    ledger.postAll([
      lunch(),
      lunch({ postedAt: '2026-04-01T12:30:00.000Z' }),
      lunch({ category: 'other', vendor: 'Estúdio Lume' }),
      lunch({ office: 'tokyo', currency: 'JPY', vendor: 'Bento Hibari' }),
    ])
    assert.equal(ledger.list().length, 4)
    assert.equal(ledger.list({ office: 'tokyo' }).length, 1)
    assert.equal(ledger.list({ office: 'lisbon', month: '2026-03' }).length, 2)
    assert.equal(ledger.list({ category: 'other' }).length, 1)
    assert.equal(ledger.list({ vendor: 'tasca' }).length, 2)
  })

  it('refuses what is not an entry', () => {
    const ledger = newLedger()
    assert.throws(() => ledger.post(lunch({ amount: 12.5 })), { code: 'bad-entry' })
    assert.throws(() => ledger.post(lunch({ amount: 0 })), { code: 'bad-entry' })
    assert.throws(() => ledger.post(lunch({ currency: 'JPY' })), { code: 'bad-entry' })
    assert.throws(() => ledger.post(lunch({ vendor: ' ' })), { code: 'bad-entry' })
    assert.throws(() => ledger.post(lunch({ postedAt: 'yesterday' })), { code: 'bad-entry' })
  })

  it('posts all or nothing', () => {
    const ledger = newLedger()
    assert.throws(() => ledger.postAll([lunch(), lunch({ amount: 0 })]), { code: 'bad-entry' })
    assert.equal(ledger.list().length, 0)
  })
})
