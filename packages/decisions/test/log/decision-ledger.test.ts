import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Choice, DecisionEvent, SaidEvent } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { decisionId, eventId, withdrawalId } from '../../src/log/ids.ts'
import { makeSource } from '../../src/log/source.ts'

const scope = 'session:talk' as const

/** A source in a message of its own. */
const sourceIn = (message: number, text = `words of message ${message}`, edition = 0) =>
  makeSource(
    { message, turn: message + 1, role: 'user', text },
    { session: 'talk', start: 0, end: text.length, edition },
  )

const choiceOf = (slot: string, choice: string, more: Partial<Choice> = {}): Choice => ({
  slot,
  area: '',
  choice,
  category: 'decisions',
  cardinality: 'one',
  l0: `${slot}: ${choice}`,
  entities: [],
  dependsOn: [],
  ...more,
})

/** An event with its ids. */
function said(event: Omit<SaidEvent, 'id' | 'scope' | 'at' | 'by'>): SaidEvent {
  const whole = { scope, at: 1_000 + event.source.message, by: 'rules' as const, ...event } as Omit<
    SaidEvent,
    'id'
  >
  return { ...whole, id: eventId(whole) } as SaidEvent
}

const asserted = (message: number, choice: Choice, edition = 0) => {
  const source = sourceIn(message, undefined, edition)
  const decision = decisionId(scope, choice, source)
  return said({ type: 'asserted', decision, source, authority: 'stated', choice } as never)
}
const proposed = (message: number, choice: Choice) => {
  const source = sourceIn(message)
  const decision = decisionId(scope, choice, source)
  return said({ type: 'proposed', decision, source, authority: 'proposed', choice } as never)
}
const superseded = (message: number, old: string, by: string, area?: string) =>
  said({
    type: 'superseded',
    decision: old,
    supersededBy: by,
    source: sourceIn(message),
    authority: 'stated',
    ...(area && { area }),
  } as never)
const withdrawn = (from: number, edition = 0): DecisionEvent => ({
  type: 'withdrawn',
  id: withdrawalId({ scope, session: 'talk', from, edition }),
  scope,
  at: 5_000,
  session: 'talk',
  from,
  edition,
})

const postgres = asserted(3, choiceOf('datastore', 'PostgreSQL'))
const mysql = asserted(27, choiceOf('datastore', 'MySQL'))

describe('a decision', () => {
  it('is over when another takes its place, and both know it', () => {
    const ledger = createDecisionLedger([postgres, mysql, superseded(27, postgres.decision, mysql.decision)])
    expect(ledger.get(postgres.decision)).toMatchObject({
      status: 'superseded',
      supersededBy: [{ id: mysql.decision }],
      ended: { source: { message: 27 } },
    })
    expect(ledger.get(mysql.decision)).toMatchObject({
      status: 'active',
      supersedes: [{ id: postgres.decision }],
    })
    expect(ledger.ofSlot('Datastore').map(({ choice }) => choice)).toEqual(['MySQL'])
  })

  it('goes on where another takes its place in one area only', () => {
    const clickhouse = asserted(9, choiceOf('datastore', 'ClickHouse', { area: 'analytics' }))
    const part = superseded(9, postgres.decision, clickhouse.decision, 'Analytics')
    const ledger = createDecisionLedger([postgres, clickhouse, part])
    expect(ledger.get(postgres.decision)).toMatchObject({
      status: 'active',
      supersededBy: [{ id: clickhouse.decision, area: 'analytics' }],
      contestedBy: [],
    })
  })

  it('is contested while two hold and nobody said which', () => {
    const ledger = createDecisionLedger([postgres, mysql])
    expect(ledger.get(postgres.decision)?.contestedBy).toEqual([mysql.decision])
    ledger.append([superseded(30, postgres.decision, mysql.decision)])
    expect(ledger.get(mysql.decision)?.contestedBy).toEqual([])
  })

  it('is suspect when what it rests on is over, until it is said again', () => {
    const schema = asserted(8, choiceOf('schema', 'users', { dependsOn: [postgres.decision] }))
    const change = superseded(27, postgres.decision, mysql.decision)
    const ledger = createDecisionLedger([postgres, schema, mysql, change])
    expect(ledger.get(schema.decision)?.suspectOf).toBe(postgres.decision)
    const again = { decision: schema.decision, source: sourceIn(30), authority: 'stated' }
    ledger.append([said({ type: 'reaffirmed', ...again } as never)])
    expect(ledger.get(schema.decision)?.suspectOf).toBeUndefined()
  })

  it('is contested by a remark until it is said again, wherever in the log the remark stands', () => {
    const doubt = { decision: postgres.decision, source: sourceIn(20), authority: 'proposed' }
    const again = { decision: postgres.decision, source: sourceIn(30), authority: 'stated' }
    const [remark, stated] = [
      said({ type: 'remarked', ...doubt } as never),
      said({ type: 'reaffirmed', ...again } as never),
    ]
    const ledger = createDecisionLedger([postgres, remark])
    expect(ledger.get(postgres.decision)?.remarks).toMatchObject([{ message: 20 }])
    ledger.append([stated])
    expect(ledger.get(postgres.decision)?.remarks).toEqual([])
    expect(createDecisionLedger([postgres, stated, remark]).get(postgres.decision)?.remarks).toEqual([])
    // The words that settled it were taken back.
    ledger.append([withdrawn(25)])
    expect(ledger.get(postgres.decision)?.remarks).toHaveLength(1)
  })

  it('is only proposed until somebody with more authority stands behind it', () => {
    const idea = proposed(2, choiceOf('cache', 'Redis'))
    const ledger = createDecisionLedger([idea])
    expect(ledger.get(idea.decision)?.status).toBe('proposed')
    const yes = { decision: idea.decision, source: sourceIn(3), authority: 'accepted' }
    ledger.append([said({ type: 'accepted', ...yes } as never)])
    expect(ledger.get(idea.decision)).toMatchObject({ status: 'active', authority: 'accepted' })
  })
})

describe('messages that the host takes back', () => {
  it('decide nothing, and what they ended holds again', () => {
    const change = superseded(27, postgres.decision, mysql.decision)
    const ledger = createDecisionLedger([postgres, mysql, change, withdrawn(20)])
    expect(ledger.all.map(({ choice, status }) => [choice, status])).toEqual([['PostgreSQL', 'active']])
  })

  it('count again when they are said again', () => {
    const again = asserted(27, choiceOf('datastore', 'MySQL'), 1)
    const ledger = createDecisionLedger([postgres, mysql, withdrawn(20), again])
    expect(again.id).not.toBe(mysql.id)
    expect(ledger.get(mysql.decision)?.status).toBe('active')
  })
})

/** Logs of a few decisions in which anything may follow on anything. */
const logs = fc
  .array(
    fc.record({
      type: fc.constantFrom(
        'asserted',
        'proposed',
        'accepted',
        'superseded',
        'retracted',
        'reaffirmed',
        'remarked',
        'withdrawn',
      ),
      message: fc.nat(30),
      slot: fc.constantFrom('datastore', 'cache'),
      choice: fc.constantFrom('a', 'b', 'c'),
      target: fc.nat(5),
      partial: fc.boolean(),
    }),
    { minLength: 5, maxLength: 40 },
  )
  .map((steps) => {
    const begun: string[] = []
    let edition = 0
    return steps.flatMap((step): DecisionEvent[] => {
      const { type, message, slot, choice, target, partial } = step
      if (type === 'withdrawn') return [withdrawn(message, edition++)]
      if (type === 'asserted' || type === 'proposed') {
        const dependsOn = begun.slice(0, 1)
        const event = (type === 'asserted' ? asserted : proposed)(
          message,
          choiceOf(slot, choice, { dependsOn }),
          edition,
        )
        begun.push(event.decision)
        return [event]
      }
      const decision = begun[target % Math.max(1, begun.length)]
      const by = begun[(target + 1) % Math.max(1, begun.length)]
      if (decision === undefined || by === undefined) return []
      if (type === 'superseded') return [superseded(message, decision, by, partial ? 'part' : undefined)]
      return [
        said({
          type,
          decision,
          source: sourceIn(message, undefined, edition),
          authority: 'accepted',
        } as never),
      ]
    })
  })

describe('any log', () => {
  it('amounts to the same whether it is read at once or event by event, and taking an event twice changes nothing', () => {
    let events = 0
    fc.assert(
      fc.property(logs, (log) => {
        events += log.length
        const whole = createDecisionLedger(log)
        const grown = createDecisionLedger()
        for (const event of log) {
          grown.append([event, event])
          // Looked at in between, so that what was given out has to be made anew.
          for (const { id } of grown.all) grown.get(id)
        }
        expect(grown.all).toEqual(whole.all)
        expect(grown.events).toEqual(whole.events)
      }),
      { numRuns: 400 },
    )
    console.log(`${events} events in generated logs`)
  })

  it('loses no decision but those of messages that were taken back', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const ledger = createDecisionLedger(log)
        const lastBack = log.findLastIndex(({ type }) => type === 'withdrawn')
        for (const event of log.slice(lastBack + 1))
          if (event.type === 'asserted' || event.type === 'proposed')
            expect(ledger.get(event.decision)).toBeDefined()
      }),
    )
  })
})
