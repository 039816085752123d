import { expect, it } from 'vitest'
import { createDecisionLedger } from '../../src/log/ledger.ts'
import { asserted, assertions, message, withdrawn } from '../../src/store-tests/talk.ts'

const [first, second] = assertions('s', 0, 'Postgres', 'Redis', 'MySQL').filter((_, index) => index !== 1)
if (first === undefined || second === undefined) throw new Error('two events')

it('takes an event once, and leaves out what it does not know', () => {
  const ledger = createDecisionLedger([first, first])
  const { all } = ledger
  ledger.append([first, { ...second, type: 'accepted' } as never])
  expect(ledger.all).toEqual(all)
  expect(ledger.has(first.id)).toBe(true)
})

it('gives the same list until something is appended, and goes on in a draft without changing', () => {
  const ledger = createDecisionLedger([first])
  expect(ledger.all).toBe(ledger.all)
  const draft = ledger.draft()
  draft.append([second])
  expect([ledger.all.length, draft.all.length]).toEqual([1, 2])
  expect(ledger.get(first.decision)?.contestedBy).toEqual([])
  expect(draft.get(first.decision)?.contestedBy).toEqual([second.decision])
})

it('takes back what was read in messages that are gone: what they contested holds again', () => {
  const ledger = createDecisionLedger([first, second])
  ledger.append([withdrawn('s', 2, 0)])
  expect(ledger.all).toMatchObject([{ value: 'Postgres', status: 'active', contestedBy: [] }])
  const again = asserted('s', message(2, 'SQLite'))
  ledger.append([again])
  expect(ledger.ofSubject('Data_Base')).toEqual([])
  expect(ledger.ofSubject('Database').map(({ value }) => value)).toEqual(['Postgres', 'SQLite'])
})
