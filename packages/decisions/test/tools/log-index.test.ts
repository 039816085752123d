import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Decision } from '../../src/log/decision.ts'
import { standingEvents } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { askedTerms, matchScores, TermIndex } from '../../src/render/match-scores.ts'
import { logIndexOf } from '../../src/tools/log-index.ts'
import { createLongStory } from '../render/said.ts'
import { talks } from '../render/stories.ts'

const FILTERS: Readonly<Record<string, (decision: Decision) => boolean>> = {
  active: ({ status }) => status === 'active',
  over: ({ status }) => status === 'superseded' || status === 'retracted',
  contested: ({ contestedBy }) => contestedBy.length > 0,
  suspect: ({ suspectOf }) => suspectOf !== undefined,
  all: () => true,
}

it('finds in a log that grows what a walk over all of it finds', () => {
  const found = { fitting: 0, dependants: 0, events: 0 }
  fc.assert(
    fc.property(talks({ maxLength: 25 }), fc.nat(5), ({ events }, step) => {
      const ledger = createDecisionLedger()
      for (let end = 1; end <= events.length; end += 1 + step) {
        ledger.append(events.slice(Math.max(0, end - 1 - step), end))
        const { all } = createDecisionLedger(events.slice(0, end))
        const index = logIndexOf(ledger)
        for (const [name, isMeant] of Object.entries(FILTERS)) {
          const { numbers, size, has } = index.fitting(name, isMeant)
          const walked = all.filter(isMeant)
          expect(numbers.map((number) => all[number])).toEqual(walked)
          expect(all.filter((_, number) => has(number))).toEqual(walked)
          expect(size).toBe(walked.length)
          found.fitting += size
        }
        const standing = standingEvents(events.slice(0, end))
        for (const { id } of all) {
          const prefix = id.slice(0, 5)
          const alike = all.filter((other) => other.id.startsWith(prefix)).map((other) => other.id)
          expect(index.beginning(prefix)).toEqual(alike.sort())
          const resting = all.filter(({ dependsOn }) => dependsOn.includes(id)).map((other) => other.id)
          expect(index.dependants(id)).toEqual(resting)
          const concerning = standing.filter(
            (event) => event.decision === id || ('supersededBy' in event && event.supersededBy === id),
          )
          expect(index.events(id)).toEqual(concerning)
          found.dependants += resting.length
          found.events += concerning.length
        }
      }
    }),
    { numRuns: 100 },
  )
  expect(Math.min(...Object.values(found))).toBeGreaterThan(100)
})

it('orders of all matches only the first, as if all were ordered', () => {
  let total = 0
  fc.assert(
    fc.property(
      talks({ maxLength: 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 8 }),
      ({ events }, place, most) => {
        const { all } = createDecisionLedger(events)
        const index = new TermIndex(all)
        for (const decision of all) index.replace(decision)
        const query = JSON.stringify(events[place % events.length] ?? '')
        const scores = matchScores(query, all)
        const sorted = all
          .filter(({ id }) => scores.has(id))
          .sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
          .map(({ id }) => id)
        const everything = { size: all.length, has: () => true }
        expect(index.best(askedTerms(query), everything, most)).toEqual({
          ids: sorted.slice(0, most),
          total: sorted.length,
        })
        total += sorted.length
      },
    ),
    { numRuns: 200 },
  )
  expect(total).toBeGreaterThan(500)
})

it('reads of a long log only what has changed since the last time', () => {
  const story = createLongStory(2_000)
  const ledger = createDecisionLedger(story.events)
  let reads = 0
  const isMeant = ({ status }: Decision): boolean => {
    reads++
    return status === 'active'
  }
  expect(logIndexOf(ledger).fitting('active', isMeant).size).toBe(2_000)
  const [first] = ledger.all
  const next = story.assert({ slot: 'setting:s0', choice: '7 hours' }, { turn: 3_000 })
  story.supersede(first?.id ?? '', next, { turn: 3_000 })
  ledger.append(story.events.slice(-2))
  reads = 0
  const { numbers, size } = logIndexOf(ledger).fitting('active', isMeant)
  expect([size, numbers[0], numbers.at(-1)]).toEqual([2_000, 1, 2_000])
  expect(reads).toBeLessThan(10)
})
