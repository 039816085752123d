import { roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DecisionEvent } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { readLog } from '../../src/render/log-reading.ts'
import { matchScores } from '../../src/render/match-scores.ts'
import { renderRecall } from '../../src/render/render-recall.ts'
import { renderTopBlock } from '../../src/render/render-top-block.ts'
import { Shown } from '../../src/render/shown.ts'
import { collectEntries } from './full-walk.ts'
import { createStory } from './said.ts'
import { stories } from './stories.ts'

it('reads a log once for a reader, until something is appended to it', () => {
  const story = createStory()
  const first = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 1 })
  const ledger = createDecisionLedger(story.events)
  const entriesFor = (session: string) => readLog(ledger, session).entries.all
  const entries = entriesFor('s1')
  expect(entriesFor('s1')).toBe(entries)
  expect(entriesFor('s2')[0]?.l0).toContain('another session')
  const second = story.assert({ slot: 'auth', choice: 'sessions' }, { turn: 2 })
  story.supersede(first, second, { turn: 2 })
  ledger.append(story.events)
  expect(entriesFor('s1').map(({ l0 }) => l0)).toEqual([expect.stringContaining('was JWT')])
  story.withdraw('s1', 3)
  ledger.append(story.events)
  expect(entriesFor('s1').map(({ l0 }) => l0)).toEqual([expect.stringContaining('auth: JWT [user')])
})

/** Stories in which the host takes messages back now and then. */
const talks = fc
  .tuple(stories({ maxLength: 25 }), fc.array(fc.nat(30), { maxLength: 2 }))
  .map(([{ events, artifacts }, takenFrom]) => {
    const all: DecisionEvent[] = [...events]
    takenFrom.forEach((place, edition) => {
      const id = `e00000000000${edition}`
      const gone = {
        type: 'withdrawn' as const,
        id,
        scope: 'project:p' as const,
        at: 1,
        session: 's1',
        from: place,
        edition,
      }
      all.splice(2 * place, 0, gone)
    })
    return { events: all, artifacts }
  })

it('says of a log that grows what a walk over all of it says', () => {
  let said = 0
  fc.assert(
    fc.property(talks, fc.constantFrom('s1', 's0'), fc.nat(5), ({ events, artifacts }, session, step) => {
      const growing = createDecisionLedger()
      let seen = new Map<string, string>()
      let shown = new Shown(seen)
      for (let end = 1; end <= events.length; end += 1 + step) {
        growing.append(events.slice(Math.max(0, end - 1 - step), end))
        const whole = createDecisionLedger(events.slice(0, end))
        const query = JSON.stringify(events[(end * 7) % events.length])
        expect(growing.all).toEqual(whole.all)
        const reading = readLog(growing, session)
        const linesOf = (entries: ReturnType<typeof collectEntries>) =>
          entries.map(({ standing, category, l0, detail }) => ({ standing, category, l0, detail }))
        expect(linesOf(reading.entries.all)).toEqual(linesOf(collectEntries(whole, session)))
        expect(new Map(reading.terms.scores(query))).toEqual(new Map(matchScores(query, whole.all)))
        const input = { artifacts, session, tokens: roughTokenCounter, query, budgetTokens: 900 }
        expect(renderTopBlock({ ...input, decisions: growing })).toEqual(
          renderTopBlock({ ...input, decisions: whole }),
        )
        expect(shown.misleads(growing)).toBe(new Shown(seen).misleads(whole))
        const block = renderRecall({ ...input, decisions: growing, shown })
        expect(block).toEqual(renderRecall({ ...input, decisions: whole, shown: new Shown(seen) }))
        if (block.text !== '') said++
        // What the block did not have room for stays news; now and then a block at the top shows all of it.
        if (end % 7 === 0) {
          seen = new Map(renderTopBlock({ ...input, decisions: growing }).lines)
          shown = new Shown(seen)
        } else {
          shown.add(block.lines)
          seen = new Map([...seen, ...block.lines])
        }
      }
    }),
    { numRuns: 100 },
  )
  console.log(`${said} blocks with a text`)
  expect(said).toBeGreaterThan(100)
})
