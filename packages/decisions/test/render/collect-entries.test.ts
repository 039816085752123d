import { expect, it } from 'vitest'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { collectEntries } from '../../src/render/collect-entries.ts'
import { createStory } from './said.ts'

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
