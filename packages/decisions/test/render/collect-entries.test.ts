import { roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { collectEntries } from '../../src/render/collect-entries.ts'
import { renderRecall } from '../../src/render/render-recall.ts'
import { renderTopBlock } from '../../src/render/render-top-block.ts'
import { createStory } from './said.ts'
import { stories } from './stories.ts'

it('reads a log once for a reader, until something is appended to it', () => {
  const story = createStory()
  const first = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 1 })
  const ledger = createDecisionLedger(story.events)
  const entries = collectEntries(ledger, 's1')
  expect(collectEntries(ledger, 's1')).toBe(entries)
  expect(collectEntries(ledger, 's2')[0]?.l0).toContain('another session')
  const second = story.assert({ slot: 'auth', choice: 'sessions' }, { turn: 2 })
  story.supersede(first, second, { turn: 2 })
  ledger.append(story.events)
  expect(collectEntries(ledger, 's1').map(({ l0 }) => l0)).toEqual([expect.stringContaining('was JWT')])
  story.withdraw('s1', 3)
  ledger.append(story.events)
  expect(collectEntries(ledger, 's1').map(({ l0 }) => l0)).toEqual([
    expect.stringContaining('auth: JWT [user'),
  ])
})

it('says of a log that grows what it says of one that is read from the start', () => {
  const shown = new Map<string, string>()
  fc.assert(
    fc.property(stories({ maxLength: 20 }), fc.constantFrom('s1', 's0'), ({ events, artifacts }, session) => {
      const growing = createDecisionLedger()
      events.forEach((event, index) => {
        growing.append([event])
        const rendered = [growing, createDecisionLedger(events.slice(0, index + 1))].map((decisions) => {
          const query = JSON.stringify(events[(index * 7) % events.length])
          const input = { decisions, artifacts, session, tokens: roughTokenCounter, query, budgetTokens: 900 }
          const entries = collectEntries(decisions, session).map(({ l0, detail }) => [l0, detail])
          return [entries, renderTopBlock(input).text, renderRecall({ ...input, shown }).text]
        })
        expect(rendered[0]).toEqual(rendered[1])
      })
    }),
    { numRuns: 40 },
  )
})
