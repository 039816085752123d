import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExchangeError, exportDecisions, importDecisions } from '../../src/exchange/index.ts'
import { type DecisionEvent, isImported } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { withdrawalId } from '../../src/log/ids.ts'
import { eventFault } from '../../src/verify/check-events.ts'
import { choiceOf, SCOPE, shopTalk, startTalk } from './say.ts'

const { talk, ids } = shopTalk()
const TEXT = exportDecisions(talk.events, { scope: SCOPE })

/** As they are behind an import: marked. */
const imports = (events: readonly DecisionEvent[]) =>
  events.map((event) => (event.type === 'withdrawn' ? event : { ...event, imported: true as const }))

function failure(text: string): ExchangeError {
  try {
    importDecisions(text)
  } catch (error) {
    if (ExchangeError.isInstance(error)) return error
    throw error
  }
  throw new Error('it was imported')
}

describe('an export', () => {
  it('gives the same events and the same ledger when it is imported', () => {
    const imported = importDecisions(TEXT)
    expect(imported).toEqual({ scope: SCOPE, events: imports(talk.events), warnings: [] })
    const all = talk.ledger.all.map((decision) => ({ ...decision, by: 'import' }))
    expect(createDecisionLedger(imported.events).all).toEqual(all)
  })

  it('of what was imported is the export that was imported, and each of its events says that it is not proved', () => {
    const { events } = importDecisions(TEXT)
    expect(exportDecisions(events, { scope: SCOPE })).toBe(TEXT)
    expect(events.every((event) => event.type === 'withdrawn' || isImported(event))).toBe(true)
  })

  it('is the same text for the same log, and has one event to a line', () => {
    expect(exportDecisions(structuredClone(talk.events), { scope: SCOPE })).toBe(TEXT)
    expect(TEXT.trimEnd().split('\n')).toHaveLength(talk.events.length + 2)
  })

  it('has only the events of its scope', () => {
    const other = startTalk('session:s9', 's9')
    other.assert(choiceOf('cache', 'Memcached'))
    const text = exportDecisions([...talk.events, ...other.events], { scope: 'session:s9' })
    expect(importDecisions(text).events).toEqual(imports(other.events))
  })

  it('keeps what was left open, in another scope too', () => {
    const open = startTalk()
    const { decision } = open.assert(choiceOf('auth', 'JWT'))
    open.remark(decision)
    const text = exportDecisions(open.events, { scope: SCOPE })
    for (const target of [{}, { scope: 'project:other' as const, session: 'file:shop.json' }])
      expect(createDecisionLedger(importDecisions(text, target).events).all).toMatchObject([
        { choice: 'JWT', remarks: [{ quote: 'I am not so sure about that.' }] },
      ])
  })

  it('of an empty log is imported as nothing', () => {
    const text = exportDecisions([], { scope: SCOPE })
    expect(importDecisions(text)).toEqual({ scope: SCOPE, events: [], warnings: [] })
  })

  it('brings no secret along, and links that still hold', () => {
    const key = `ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`
    const talk = startTalk()
    const told = talk.assert(choiceOf('setting:token', key, { entities: [key] }), `The token is ${key}.`)
    const next = talk.assert(choiceOf('setting:token', 'none', { dependsOn: [told.decision] }))
    talk.supersede(told.decision, next.decision, { reason: `not ${key}` })
    const { events } = importDecisions(exportDecisions(talk.events, { scope: SCOPE }))
    expect(JSON.stringify(events)).not.toContain(key)
    expect(events.map((event) => eventFault(event))).toEqual([undefined, undefined, undefined])
    const [first, second] = createDecisionLedger(events).all
    expect(first).toMatchObject({ status: 'superseded', supersededBy: [{ id: next.decision }] })
    expect(second?.dependsOn).toEqual([first?.id])
  })

  it('with the words of a tool as the word of the user is refused', () => {
    const talk = startTalk()
    const said = talk.assert(choiceOf('datastore', 'MongoDB'), 'decision: use MongoDB')
    const forged = { ...said, source: { ...said.source, role: 'tool' as const } }
    expect(failure(exportDecisions([forged], { scope: SCOPE })).message).toContain(
      'cannot make anything stated',
    )
  })

  it('keeps what was taken back, and what that means', () => {
    const events: DecisionEvent[] = [
      ...talk.events,
      {
        type: 'withdrawn',
        id: withdrawalId({ scope: SCOPE, session: 's1', from: 3, edition: 0 }),
        scope: SCOPE,
        at: 9,
        session: 's1',
        from: 3,
        edition: 0,
      },
    ]
    const imported = importDecisions(exportDecisions(events, { scope: SCOPE }))
    expect(imported.events).toEqual(imports(events))
    expect(createDecisionLedger(imported.events).get(ids.postgres.decision)?.status).toBe('active')
  })

  it('is taken whatever a tool has made of its white space and the order of its members', () => {
    const reordered = JSON.stringify(JSON.parse(TEXT, reverseMembers), null, 4)
    expect(importDecisions(reordered).events).toEqual(imports(talk.events))
  })

  it('loses nothing of any text (property)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 })
    fc.assert(
      fc.property(fc.array(fc.record({ slot: text, choice: text, reason: text, quote: text })), (said) => {
        const any = startTalk()
        for (const { slot, choice, reason, quote } of said)
          any.assert(choiceOf(`x${slot}`, `${choice}\ud800\0__proto__`, { reason }), `${quote}\udc00`)
        const back = importDecisions(exportDecisions(any.events, { scope: SCOPE }))
        expect(back.events).toEqual(imports(any.events))
      }),
    )
  })
})

describe('an import into another project', () => {
  const moved = importDecisions(TEXT, { scope: 'project:other', session: 'file:shop.json' })

  it('gives the same decisions other ids, with links that follow', () => {
    const before = talk.ledger
    const after = createDecisionLedger(moved.events)
    expect(after.all.map(({ slot, choice, status }) => ({ slot, choice, status }))).toEqual(
      before.all.map(({ slot, choice, status }) => ({ slot, choice, status })),
    )
    const [postgres, jwt, mysql] = after.all
    expect(postgres?.id).not.toBe(ids.postgres.decision)
    expect(postgres?.supersededBy[0]?.id).toBe(mysql?.id)
    expect(mysql?.supersedes[0]?.id).toBe(postgres?.id)
    expect(jwt?.dependsOn).toEqual([postgres?.id])
    expect(jwt?.suspectOf).toBe(postgres?.id)
  })

  it('names sessions after the file, so that they are no sessions of the other project', () => {
    const sessions = new Set(moved.events.map((event) => 'source' in event && event.source.session))
    expect([...sessions]).toEqual(['file:shop.json/s1'])
    expect(moved.events.every(({ scope }) => scope === 'project:other')).toBe(true)
  })

  it('adds nothing the second time', () => {
    const ledger = createDecisionLedger(moved.events)
    const count = ledger.events.length
    ledger.append(importDecisions(TEXT, { scope: 'project:other', session: 'file:shop.json' }).events)
    expect(ledger.events).toHaveLength(count)
  })

  it('leaves behind what had been taken back', () => {
    const withdrawn: DecisionEvent = {
      ...{
        type: 'withdrawn',
        id: withdrawalId({ scope: SCOPE, session: 's1', from: 0, edition: 0 }),
        scope: SCOPE,
        at: 9,
        session: 's1',
      },
      ...{ from: 0, edition: 0 },
    }
    const text = exportDecisions([...talk.events, withdrawn], { scope: SCOPE })
    expect(importDecisions(text, { scope: 'project:other' }).events).toEqual([])
  })
})

describe('what cannot be imported says why, and what to do', () => {
  it.each([
    ['nothing', '', 'NOT_AN_EXPORT', /no JSON/],
    ['another file', '{"name":"shop"}', 'NOT_AN_EXPORT', /palimpsest decisions export/],
    ['null', 'null', 'NOT_AN_EXPORT', /format/],
    ['a list', '[1]', 'NOT_AN_EXPORT', /format/],
    ['the half of an export', TEXT.slice(0, TEXT.length / 2), 'EXPORT_DAMAGED', /cut off/],
    ['a newer version', TEXT.replace('"version":1', '"version":2'), 'EXPORT_TOO_NEW', /update/],
    ['another choice', TEXT.replace('"choice":"MySQL"', '"choice":"Oracle"'), 'EXPORT_DAMAGED', /hash/],
    ['another scope', TEXT.replaceAll('project:shop', 'project:evil'), 'EXPORT_DAMAGED', /hash/],
    ['a line less', TEXT.replace(/\n[^\n]*\n/, '\n'), 'EXPORT_DAMAGED', /hash/],
    ['more members', TEXT.replace('"at":', '"__proto__":{"x":1},"at":'), 'imported', /./],
    ['a wrong type', TEXT.replace(/"at":\d+/, '"at":"soon"'), 'EXPORT_DAMAGED', /events\.0\.at/],
    [
      'a scope that is none',
      TEXT.replace('"scope":"project:shop"', '"scope":"all"'),
      'EXPORT_DAMAGED',
      /scope/,
    ],
  ])('%s', (_name, text, code, message) => {
    if (code === 'imported') expect(importDecisions(text).events).toEqual(imports(talk.events))
    else expect(failure(text)).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('a quote that was changed together with the hash of the file', () => {
    const forged = structuredClone(talk.events)
    Object.assign(forged[0]?.source ?? {}, { quote: 'We use Oracle for datastore.', end: 28 })
    expect(failure(exportDecisions(forged, { scope: SCOPE }))).toMatchObject({
      code: 'EXPORT_DAMAGED',
      message: expect.stringMatching(/event 1: its quote is not the one that was hashed/),
    })
  })

  it('an event with the id of another one', () => {
    const forged = structuredClone(talk.events)
    Object.assign(forged[1] ?? {}, { id: talk.events[0]?.id })
    expect(failure(exportDecisions(forged, { scope: SCOPE })).message).toMatch(/event 2: its id/)
  })

  it('a decision that no event begins is warned of', () => {
    const text = exportDecisions(talk.events.slice(1), { scope: SCOPE })
    expect(importDecisions(text).warnings).toEqual([
      `1 decision is spoken of and not in the export: ${ids.postgres.decision}`,
    ])
  })
})

function reverseMembers(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).reverse())
    : value
}
