import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importStatement } from '../src/importer.ts'
import { offices } from '../src/offices.ts'
import { fixture, newLedger } from './helpers.ts'

const { lisbon, tokyo } = offices

describe('importStatement', () => {
  it('books a statement', () => {
    const ledger = newLedger()
    const result = importStatement({ ledger, office: lisbon, text: fixture('lisbon-2026-03.csv') })
    assert.deepEqual(result, { imported: 181, duplicates: 0, rejected: [] })
    assert.equal(ledger.list({ office: 'lisbon' }).length, 181)
  })

  it('books nothing the second time', () => {
    const ledger = newLedger()
    const text = fixture('lisbon-2026-03.csv')
    importStatement({ ledger, office: lisbon, text })
    assert.deepEqual(importStatement({ ledger, office: lisbon, text }), { imported: 0, duplicates: 181, rejected: [] })
  })

  it('names the line that it could not read and books the others', () => {
    const ledger = newLedger()
    const result = importStatement({ ledger, office: lisbon, text: fixture('lisbon-2026-04.csv') })
    assert.deepEqual(result.rejected, [{ line: 42, reason: '"12,5O" is not an amount' }])
    assert.equal(result.imported, 177)
  })

  it('books in UTC and in the currency of the office', () => {
    const ledger = newLedger()
    importStatement({ ledger, office: tokyo, text: fixture('tokyo-2026-03.csv') })
    const [first] = ledger.list({ office: 'tokyo' })
    assert.equal(first?.postedAt, '2026-02-28T23:31:00.000Z')
    assert.equal(first?.amount, 5_604)
    assert.equal(first?.currency, 'JPY')
  })

  it('puts vendors into categories', () => {
    const ledger = newLedger()
    importStatement({ ledger, office: tokyo, text: fixture('tokyo-2026-03.csv') })
    assert.ok(ledger.list({ vendor: 'taxi' }).every((entry) => entry.category === 'travel'))
    assert.ok(ledger.list({ vendor: 'florist' }).every((entry) => entry.category === 'other'))
  })

  it('says which column is missing', () => {
    const text = 'booked_at,vendor\n2026-03-01T10:00:00+00:00,Metro Colinas\n'
    assert.throws(() => importStatement({ ledger: newLedger(), office: lisbon, text }), {
      code: 'bad-csv',
      message: 'the statement has no column amount, reference',
    })
  })
})
