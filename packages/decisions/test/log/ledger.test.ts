import { describe, expect, it } from 'vitest'
import { createDecisionLedger, type DecisionEvent, readEvents } from '../../src/index.ts'
import { asserted, SCOPE, said, withdrawn } from '../log.ts'

const [postgres, , mysql] = said('Postgres', 'Redis', 'MySQL')
if (postgres === undefined || mysql === undefined) throw new Error('three messages')
const [first, second] = [asserted(postgres), asserted(mysql)]

it('takes an event once, and leaves out what it does not know', () => {
  const ledger = createDecisionLedger([first, first])
  const { all } = ledger
  const accepted = { ...second, type: 'accepted' } as DecisionEvent
  ledger.append([first, accepted])
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

describe('messages that were taken back', () => {
  it('count no more, and what they contested holds again', () => {
    const ledger = createDecisionLedger([first, second])
    ledger.append([withdrawn(1, 5)])
    expect(ledger.all).toMatchObject([{ value: 'Postgres', status: 'active', contestedBy: [] }])
    ledger.append([asserted({ seq: 6, turn: 2, role: 'user', text: 'SQLite' })])
    expect(ledger.ofSubject('Data_Base')).toEqual([])
    expect(ledger.ofSubject('Database').map(({ value }) => value)).toEqual(['Postgres', 'SQLite'])
  })

  it('count no more when they are read afterwards', () => {
    const ledger = createDecisionLedger([withdrawn(1, 5)])
    ledger.append([first, second])
    expect(ledger.all).toMatchObject([{ value: 'Postgres' }])
  })
})

it('reads its own events of a store alone', () => {
  const bodies = [
    first,
    null,
    'text',
    { type: 'asserted' },
    { ...first, type: 'remembered' },
    withdrawn(1, 2),
  ]
  const stored = bodies.map((body, seq) => ({ seq, scope: SCOPE, id: `${seq}`, body }))
  expect(readEvents(stored)).toEqual([first, withdrawn(1, 2)])
})
