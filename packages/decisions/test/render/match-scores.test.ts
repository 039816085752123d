import { describe, expect, it } from 'vitest'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { MATCH_THRESHOLD, matchScores } from '../../src/render/match-scores.ts'
import { queryTerms } from '../../src/render/query-terms.ts'
import { createStory, type Said } from './said.ts'

const CHOICES: readonly Said[] = [
  { slot: 'datastore', choice: 'PostgreSQL' },
  { slot: 'auth', choice: 'JWT' },
  { slot: 'setting:max-retries', choice: '5', entities: ['maxRetries'] },
  { slot: 'rule:tests', choice: 'every module has unit tests' },
  { slot: 'fact:ordering', choice: '订单按创建时间排序' },
  { slot: 'fact:refunds', choice: 'Возвраты обрабатывает отдельный сервис' },
  { slot: 'location:schema', choice: 'db/schema.sql', entities: ['db/schema.sql'] },
]

function best(query: string): string | undefined {
  const story = createStory()
  CHOICES.forEach((said, index) => {
    story.assert({ l0: '', ...said }, { turn: index + 1 })
  })
  const { all } = createDecisionLedger(story.events)
  const scores = matchScores(query, all)
  const [first] = [...all].sort((a, b) => (scores.get(b.id) ?? 0) - (scores.get(a.id) ?? 0))
  return first !== undefined && (scores.get(first.id) ?? 0) >= MATCH_THRESHOLD ? first.slot : undefined
}

describe('a query', () => {
  it.each([
    ['Which database are we on?', 'datastore'],
    ['how do users log in', 'auth'],
    ['raise maxRetries to 7', 'setting:max-retries'],
    ['MAX_RETRIES?', 'setting:max-retries'],
    ['open db/schema.sql please', 'location:schema'],
    ['订单怎么排序？', 'fact:ordering'],
    ['кто обрабатывает возвраты', 'fact:refunds'],
    ['what is the weather like', undefined],
    ['', undefined],
    ['\ud800\u0000', undefined],
  ])('%j finds %s', (query, slot) => {
    expect(best(query)).toBe(slot)
  })

  it('is read in time that grows with its length', () => {
    const story = createStory()
    for (let index = 0; index < 300; index++)
      story.assert({ slot: `s${index}`, choice: `value ${index}` }, { turn: 1 })
    const { all } = createDecisionLedger(story.events)
    for (const query of ['a'.repeat(1e6), 'word '.repeat(2e5), '数'.repeat(1e6), '._-'.repeat(3e5)])
      expect(matchScores(query, all).size).toBeLessThan(all.length)
  })
})

it('identifiers are words as a whole and in their parts', () => {
  expect([...queryTerms('maxRetries, policies')]).toEqual(['maxretry', 'max', 'retry', 'policy'])
})
