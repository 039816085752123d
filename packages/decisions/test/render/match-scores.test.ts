import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Decision } from '../../src/log/decision.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { LogTerms } from '../../src/render/log-terms.ts'
import { askedTerms, MATCH_THRESHOLD, matchScores, TermIndex } from '../../src/render/match-scores.ts'
import { queryTerms } from '../../src/render/query-terms.ts'
import { createStory, type Said } from './said.ts'
import { stories } from './stories.ts'

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

/** Ids of what a log answers without an index. */
const lookedUp = (all: readonly Decision[]) => (query: string) => [
  ...new LogTerms({ all }).scores(query).keys(),
]

it('a look at each decision finds what an index finds', () => {
  let found = 0
  fc.assert(
    fc.property(stories(), ({ events }) => {
      const { all } = createDecisionLedger(events)
      for (const word of queryTerms(JSON.stringify(all))) {
        const queries = [
          word,
          `${word}s and ${word.toUpperCase()}`,
          'PostgreSQL or MySQL?',
          'policies',
          'cafés',
        ]
        for (const query of queries)
          expect(new LogTerms({ all }).scores(query)).toEqual(matchScores(query, all))
        found += matchScores(word, all).size
      }
    }),
    { numRuns: 30 },
  )
  expect(found).toBeGreaterThan(100)
})

it('scores decisions that changed, and changed again, as an index of what they are', () => {
  let found = 0
  fc.assert(
    fc.property(stories(), fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), ({ events }, places) => {
      const { all } = createDecisionLedger(events)
      const known = new Map(all.map((decision) => [decision.id, decision]))
      const index = new TermIndex(all)
      for (const place of places) {
        const [decision, other] = [all[place % all.length], all[(place + 1) % all.length]]
        if (decision === undefined || other === undefined) return
        known.set(decision.id, { ...decision, choice: other.choice, l0: other.l0, sources: other.sources })
        index.replace(known.get(decision.id) ?? decision)
        const words = queryTerms(JSON.stringify([decision, other]))
        for (const query of [...words, [...words].join(' ')]) {
          const scores = new Map([...index.scores(askedTerms(query))].sort())
          expect(scores).toEqual(new Map([...matchScores(query, [...known.values()])].sort()))
          found += scores.size
        }
      }
    }),
    { numRuns: 30 },
  )
  expect(found).toBeGreaterThan(100)
})

it('finds a plural, a part of a name and a slot', () => {
  const story = createStory()
  const ids = [
    story.assert({ slot: 'rule:caching', choice: 'Cache all QUERIES' }, { turn: 1 }),
    story.assert({ slot: 'setting:max-retries', choice: '5', entities: ['maxRetries'] }, { turn: 2 }),
    story.assert({ slot: 'datastore', choice: 'MySQL' }, { turn: 3 }),
    story.assert({ slot: 'rule:cafe', choice: 'CAFÉS are closed' }, { turn: 4 }),
  ]
  const { all } = createDecisionLedger(story.events)
  const found = ['query', 'retry', 'Which database?', 'café'].map((query) => [
    ...matchScores(query, all).keys(),
  ])
  expect(found).toEqual(ids.map((id) => [id]))
  expect(['query', 'retry', 'Which database?', 'café'].map(lookedUp(all))).toEqual(ids.map((id) => [id]))
})
