import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importStatement } from '../src/importer.ts'
import { type Office, offices } from '../src/offices.ts'
import { reconcile } from '../src/reconcile.ts'
import { fixture, newLedger } from './helpers.ts'

function reconcileMarch(office: Office) {
  const ledger = newLedger()
  for (const month of ['2026-03', '2026-04']) {
    importStatement({ ledger, office, text: fixture(`${office.id}-${month}.csv`) })
  }
  return reconcile({ ledger, office, month: '2026-03', text: fixture(`${office.id}-2026-03.csv`) })
}

describe('reconcile', () => {
  it('Lisbon agrees with its statement for March', () => {
    const { difference, missing, extra } = reconcileMarch(offices.lisbon)
    assert.deepEqual({ difference, missing: missing.length, extra: extra.length }, { difference: 0, missing: 0, extra: 0 })
  })

  it('Tokyo agrees with its statement for March', () => {
    const { difference, missing, extra } = reconcileMarch(offices.tokyo)
    assert.deepEqual({ difference, missing: missing.length, extra: extra.length }, { difference: 0, missing: 0, extra: 0 })
  })

  it('names the rows that were never booked', () => {
    const ledger = newLedger()
    const office = offices.lisbon
    const text = [
      'booked_at,vendor,amount,reference',
      '2026-03-05T09:00:00+00:00,Metro Colinas,1.65,0001-aa',
      '2026-03-05T12:10:00+00:00,Tasca do Cais,14.20,0002-bb',
      '',
    ].join('\n')
    importStatement({ ledger, office, text: text.split('\n').slice(0, 2).join('\n') })
    const result = reconcile({ ledger, office, month: '2026-03', text })
    assert.equal(result.difference, -1_420)
    assert.deepEqual(result.missing.map((row) => row.vendor), ['Tasca do Cais'])
  })
})
