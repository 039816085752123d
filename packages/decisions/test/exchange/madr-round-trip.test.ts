import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fromMadr, toMadr } from '../../src/exchange/index.ts'
import type { DecisionSet } from '../../src/log/decision.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { normalArea, normalSlot } from '../../src/log/normal-text.ts'
import { choiceOf, SCOPE, shopTalk, startTalk } from './say.ts'

/** What must be the same on the other side, with links by place. */
function essence({ all }: DecisionSet) {
  const place = new Map(all.map(({ id }, index) => [id, index]))
  return all.map(({ slot, area, choice, status, category, cardinality, supersededBy }) => ({
    ...{ slot, area: area.replace(/\s+/g, ' ').trim(), status, category, cardinality },
    choice: choice.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(),
    supersededBy: supersededBy.map(({ id, area: part }) => [place.get(id), part]),
  }))
}

function throughFiles(decisions: DecisionSet): DecisionSet {
  const { events, warnings } = fromMadr(toMadr(decisions, { all: true }), { scope: SCOPE, at: 0 })
  expect(warnings).toEqual([])
  return createDecisionLedger(events)
}

it('a project is the same after it went through files', () => {
  const { ledger } = shopTalk().talk
  expect(essence(throughFiles(ledger))).toEqual(essence(ledger))
})

it('any decisions are the same after they went through files (property)', () => {
  const word = fc.oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'ab "\\`*_<>[]()#.:;-&!\'\n1'), minLength: 1, maxLength: 16 }),
    fc.constantFrom('PostgreSQL', 'a "b", because c', '港口', 'C:\\temp\\', '{x}y', '1. x', '&amp;'),
  )
  const said = (text: string) => /[\p{L}\p{N}]/u.test(text)
  const decision = fc.record({
    slot: fc
      .oneof(fc.constantFrom('datastore', 'auth', 'setting:max-retries'), word)
      .map((slot) => normalSlot(slot))
      .filter(said),
    area: fc.oneof(fc.constant(''), word.map((area) => normalArea(area)).filter(said)),
    choice: word.filter(
      (choice) => said(choice) && !choice.startsWith('{') && !choice.trim().startsWith('<'),
    ),
    category: fc.constantFrom('decisions', 'structure', 'behavior', 'relationships'),
    cardinality: fc.constantFrom('one', 'many'),
    fate: fc.constantFrom('stays', 'proposed', 'rejected', 'retracted', 'replaced', 'replaced in part'),
    reason: fc.option(word, { nil: undefined }),
  })
  let files = 0
  fc.assert(
    fc.property(fc.array(decision, { maxLength: 6 }), (decisions) => {
      const talk = startTalk()
      const ids: string[] = []
      for (const { fate, reason, slot, choice, ...more } of decisions) {
        const made = choiceOf(slot, choice, { ...(more as object), ...(reason !== undefined && { reason }) })
        const isProposal = fate === 'proposed' || fate === 'rejected'
        ids.push((isProposal ? talk.propose(made) : talk.assert(made)).decision)
      }
      for (const [index, { fate }] of decisions.entries()) {
        const [id = '', next] = ids.slice(index)
        if (fate === 'rejected' || fate === 'retracted') talk.retract(id)
        if (fate === 'replaced' && next !== undefined) talk.supersede(id, next)
        if (fate === 'replaced in part' && next !== undefined)
          talk.supersede(id, next, { area: 'analytics "x"' })
      }
      files += ids.length
      expect(essence(throughFiles(talk.ledger))).toEqual(essence(talk.ledger))
    }),
    { numRuns: 300 },
  )
  console.log(`${files} decisions went through files and back`)
})
