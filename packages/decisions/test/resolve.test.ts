import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Proven } from '../src/extract/candidate.ts'
import type { Authority, Kind } from '../src/log/decision-event.ts'
import { createDecisionLedger, type DecisionLedger } from '../src/log/ledger.ts'
import { resolveCandidates } from '../src/resolve.ts'
import { said } from './log.ts'

const TEXTS = Array.from(
  { length: 12 },
  (_, index) => `${index % 3 === 2 ? 'A: ' : ''}words of message ${index}`,
)
const MESSAGES = said(...TEXTS)

interface Given {
  readonly at: number
  readonly value?: string
  readonly subject?: string
  readonly kind?: Kind
  readonly authority?: Authority
  readonly replaces?: string
  readonly reason?: string
  readonly action?: Proven['action']
  readonly target?: string
}

function proven({
  at,
  value = '',
  subject = 'database',
  kind = 'choice',
  authority,
  reason,
  ...rest
}: Given): Proven {
  const message = MESSAGES[at]
  if (message === undefined) throw new Error('no such message')
  const isUsers = message.role === 'user'
  return {
    action: 'create',
    statement: {
      kind,
      category: 'decisions',
      subject,
      value,
      l0: `${subject}: ${value}`,
      ...(reason !== undefined && { reason }),
    },
    span: { message, start: 0, end: message.text.length },
    authority: authority ?? (isUsers ? 'stated' : 'proposed'),
    ...rest,
  }
}

/** A ledger after batches of candidates, one after the other. */
function ledgerOf(...batches: readonly (readonly Given[])[]): DecisionLedger {
  const ledger = createDecisionLedger()
  for (const batch of batches) ledger.append(resolve(ledger, batch).events)
  return ledger
}

function resolve(ledger: DecisionLedger, batch: readonly Given[]) {
  return resolveCandidates(batch.map(proven), {
    ledger,
    scope: 'session:s',
    session: 's',
    at: 1,
    by: 'model',
  })
}

/** What holds, is proposed and is over. */
function shown({ all }: DecisionLedger): string[] {
  return all.map(
    ({ value, status, authority, contestedBy }) =>
      `${value} ${contestedBy.length > 0 ? 'contested' : status} ${authority}`,
  )
}

describe('a new value', () => {
  it('takes the place of the old one when the words say that it changes', () => {
    const ledger = ledgerOf(
      [{ at: 0, value: 'Postgres' }],
      [{ at: 3, value: 'MySQL', replaces: 'Postgres', reason: 'the hosting' }],
    )
    expect(shown(ledger)).toEqual(['Postgres superseded stated', 'MySQL active stated'])
    const [old, current] = ledger.all
    expect(old).toMatchObject({
      supersededBy: current?.id,
      ended: { reason: 'the hosting', source: { seq: 3 } },
    })
    expect(current?.supersedes).toEqual([old?.id])
  })

  it('is contested when the user states both, and settled by the next change', () => {
    const both = ledgerOf([{ at: 0, value: 'Postgres' }], [{ at: 3, value: 'MySQL' }])
    expect(shown(both)).toEqual(['Postgres contested stated', 'MySQL contested stated'])
    both.append(resolve(both, [{ at: 4, value: 'Postgres', replaces: 'MySQL' }]).events)
    expect(shown(both)).toEqual(['Postgres active stated', 'MySQL superseded stated'])
  })

  it('replaces a decision of another subject when it is named', () => {
    const ledger = ledgerOf([{ at: 0, value: 'nightly', subject: 'backup' }])
    const [{ id } = { id: '' }] = ledger.all
    ledger.append(
      resolve(ledger, [{ at: 3, value: 'hourly', subject: 'backups of the shop', replaces: id }]).events,
    )
    expect(shown(ledger)).toEqual(['nightly superseded stated', 'hourly active stated'])
  })

  it('of the user ends a proposal, and one that was only accepted; a proposal ends nothing', () => {
    expect(shown(ledgerOf([{ at: 2, value: 'Redis' }], [{ at: 3, value: 'MySQL' }]))).toEqual([
      'Redis superseded proposed',
      'MySQL active stated',
    ])
    const accepted = ledgerOf([{ at: 3, value: 'Redis', authority: 'accepted' }])
    expect(shown(accepted)).toEqual(['Redis active accepted'])
    accepted.append(resolve(accepted, [{ at: 4, value: 'MySQL' }]).events)
    expect(shown(accepted)).toEqual(['Redis superseded accepted', 'MySQL active stated'])
    const kept = ledgerOf([{ at: 0, value: 'Postgres' }], [{ at: 2, value: 'Redis', replaces: 'Postgres' }])
    expect(shown(kept)).toEqual(['Postgres active stated', 'Redis proposed proposed'])
  })

  it('ends what was open on its subject', () => {
    const ledger = ledgerOf(
      [
        { at: 0, value: 'try MySQL', kind: 'intention' },
        { at: 1, value: 'which one?', kind: 'question' },
      ],
      [{ at: 3, value: 'MySQL' }],
    )
    expect(shown(ledger)).toEqual([
      'try MySQL superseded stated',
      'which one? superseded stated',
      'MySQL active stated',
    ])
  })

  it('that the agent recorded is not contested by an older one that is read late', () => {
    const ledger = createDecisionLedger()
    const context = { ledger, scope: 'session:s', session: 's', at: 1 } as const
    ledger.append(resolveCandidates([proven({ at: 6, value: 'MySQL' })], { ...context, by: 'agent' }).events)
    ledger.append(
      resolveCandidates([proven({ at: 0, value: 'Postgres' })], { ...context, by: 'model' }).events,
    )
    expect(shown(ledger)).toEqual(['MySQL active stated', 'Postgres superseded stated'])
  })
})

describe('rules and facts', () => {
  it('stand side by side, and each is replaced by name only', () => {
    const ledger = ledgerOf([
      { at: 0, value: 'Always answer in Spanish.', kind: 'rule', subject: 'style' },
      { at: 1, value: 'Never use tables.', kind: 'rule', subject: 'style' },
    ])
    const [spanish] = ledger.all
    ledger.append(
      resolve(ledger, [
        { at: 3, value: 'Answer in English.', kind: 'rule', subject: 'style', replaces: spanish?.id ?? '' },
      ]).events,
    )
    expect(shown(ledger)).toEqual([
      'Always answer in Spanish. superseded stated',
      'Never use tables. active stated',
      'Answer in English. active stated',
    ])
  })
})

describe('the same value', () => {
  it('said again is one more source, and makes the proposal a decision', () => {
    const ledger = ledgerOf(
      [{ at: 2, value: 'MySQL' }],
      [{ at: 3, value: ' `mysql`.' }],
      [{ at: 4, value: 'MySQL' }],
    )
    expect(shown(ledger)).toEqual(['MySQL active stated'])
    expect(ledger.all[0]?.sources.map(({ seq }) => seq)).toEqual([2, 3, 4])
  })

  it('found again in the same words is nothing new', () => {
    const ledger = ledgerOf([{ at: 0, value: 'MySQL' }])
    expect(resolve(ledger, [{ at: 0, value: 'MySQL' }]).events).toEqual([])
  })
})

describe('a detail and an end', () => {
  it('belong to the decision that they name', () => {
    const ledger = ledgerOf([{ at: 0, value: 'MySQL' }])
    const target = ledger.all[0]?.id ?? ''
    ledger.append(
      resolve(ledger, [{ at: 3, value: 'one schema a year', subject: 'schemas', action: 'merge', target }])
        .events,
    )
    expect(ledger.all[0]?.merged).toEqual([{ text: 'schemas: one schema a year', authority: 'stated' }])
    expect(resolve(ledger, [{ at: 5, action: 'retract', target }]).refused).toEqual(['not-theirs-to-end'])
    ledger.append(resolve(ledger, [{ at: 6, action: 'retract', target, reason: 'no data' }]).events)
    expect(shown(ledger)).toEqual(['MySQL retracted stated'])
    expect(resolve(ledger, [{ at: 7, action: 'merge', target }]).refused).toEqual(['unknown-target'])
    // What is decided again after its end is a decision of its own.
    ledger.append(resolve(ledger, [{ at: 7, value: 'MySQL' }]).events)
    expect(shown(ledger)).toEqual(['MySQL retracted stated', 'MySQL active stated'])
  })

  it('an end that was said before the decision was said again ends nothing', () => {
    const ledger = ledgerOf([{ at: 0, value: 'MySQL' }], [{ at: 6, value: 'MySQL' }])
    expect(resolve(ledger, [{ at: 3, action: 'retract', target: ledger.all[0]?.id ?? '' }]).events).toEqual(
      [],
    )
  })
})

it('whatever is read in whatever order: every event quotes its message, reading it again adds nothing, and nobody else ends what the user stated', () => {
  const given = fc.record({
    at: fc.nat(TEXTS.length - 1),
    value: fc.constantFrom('a', 'b', 'c'),
    subject: fc.constantFrom('x', 'y'),
    kind: fc.constantFrom('choice', 'rule', 'fact', 'question', 'intention') as fc.Arbitrary<Kind>,
    replaces: fc.constantFrom('', 'a', 'b'),
  })
  fc.assert(
    fc.property(fc.array(fc.array(given, { maxLength: 4 }), { maxLength: 5 }), (batches) => {
      const ledger = createDecisionLedger()
      for (const batch of batches) {
        const { events } = resolve(ledger, batch)
        for (const event of events) {
          const { seq, start, end, quote, role } = event.source
          expect(MESSAGES[seq]).toMatchObject({ role, text: expect.any(String) })
          expect(MESSAGES[seq]?.text.slice(start, end)).toBe(quote)
          expect(event.authority === 'proposed' || role === 'user').toBe(true)
          const before = ledger.get(event.decision)
          if (event.type === 'superseded' && before?.authority === 'stated')
            expect(event.source.role).toBe('user')
        }
        ledger.append(events)
        expect(
          resolve(ledger, batch).events.filter(({ type }) => type === 'asserted' || type === 'proposed'),
        ).toEqual([])
      }
      expect(createDecisionLedger(ledger.events).all).toEqual(ledger.all)
    }),
  )
})
