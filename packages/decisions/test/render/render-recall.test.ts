import { roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DecisionEvent } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { readLog } from '../../src/render/log-reading.ts'
import { Shown } from '../../src/render/shown.ts'
import { entryLines, recall, top } from './renders.ts'
import { createStory } from './said.ts'
import { stories } from './stories.ts'

const misleads = (lines: ReadonlyMap<string, string>, events: readonly DecisionEvent[]) =>
  new Shown({ lines }).misleads(readLog(createDecisionLedger(events), 's1').entries)

const misleading = (shown: ReadonlyMap<string, string>, story: ReturnType<typeof createStory>) =>
  misleads(shown, story.events)

function begun() {
  const story = createStory()
  const datastore = story.assert({ slot: 'datastore', choice: 'PostgreSQL' }, { turn: 3 })
  const auth = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 4 })
  return { story, datastore, auth, shown: top(story.events).lines }
}

describe('the block next to the query', () => {
  it('is empty when nothing changed and nothing matches', () => {
    const { story, shown } = begun()
    expect(recall(story.events, shown)).toEqual({ text: '', tokens: 0, lines: shown })
  })

  it('says what is new, what was replaced, and what is contested now', () => {
    const { story, datastore, shown } = begun()
    const next = story.assert({ slot: 'datastore', choice: 'MySQL' }, { turn: 27 })
    story.supersede(datastore, next, { turn: 27 })
    story.assert({ slot: 'auth', choice: 'sessions' }, { turn: 28 })
    story.assert({ slot: 'cache', choice: 'Redis' }, { turn: 29 })
    const { text, lines } = recall(story.events, shown)
    expect(entryLines(text).map((line) => line.replace(/ \[.*/, ''))).toEqual([
      '- datastore: MySQL (was PostgreSQL, turns 3 to 27)',
      '- auth: JWT (turn 4) or sessions (turn 28): contested, ask before relying on either',
      '- cache: Redis',
    ])
    expect(text.startsWith('<recent_decisions>\n')).toBe(true)
    expect(recall(story.events, lines).text).toBe('')
  })

  it('says that something was given up, or taken back with its message', () => {
    const { story, datastore, auth, shown } = begun()
    story.retract(auth, { turn: 9 })
    expect(recall(story.events, shown).text).toContain('- auth: no longer JWT (given up, turns 4 to 9)')
    story.withdraw('s1', 0)
    expect(entryLines(recall(story.events, shown).text)).toEqual([
      `- [${datastore.slice(0, 8)}] was taken back and does not count`,
      `- [${auth.slice(0, 8)}] was taken back and does not count`,
    ])
  })

  it('is silent about proposals until the user takes one up', () => {
    const { story, shown } = begun()
    const proposal = story.propose({ slot: 'cache', choice: 'Redis' }, { turn: 5 })
    expect(recall(story.events, shown).text).toBe('')
    const seen = top(story.events).lines
    story.accept(proposal, { turn: 6 })
    expect(recall(story.events, shown).text).toContain('cache: Redis [accepted, turn 6;')
    expect(recall(story.events, seen).text).toContain('cache: Redis [accepted, turn 6;')
  })

  it('shows the details of what the query is about, unless they were shown', () => {
    const { story } = begun()
    const lines = new Map([...top(story.events).lines].map(([id, line]) => [id, line.split('\n')[0] ?? '']))
    const { text, lines: seen } = recall(story.events, lines, { query: 'Which database do we use?' })
    expect(text).toContain('datastore: PostgreSQL')
    expect(text).toContain('"We go with PostgreSQL for datastore." (turn 3)')
    expect(text).not.toContain('JWT')
    expect(recall(story.events, seen, { query: 'Which database do we use?' }).text).toBe('')
  })

  it('says how much news there was no room for', () => {
    const story = createStory()
    for (let index = 0; index < 50; index++)
      story.assert({ slot: `setting:s${index}`, choice: `${index} seconds` }, { turn: index + 1 })
    const { text, tokens } = recall(story.events, new Map(), { budgetTokens: 200 })
    expect(tokens).toBeLessThanOrEqual(200)
    const lines = entryLines(text)
    expect(lines.at(-1)).toBe(`- and ${50 - (lines.length - 1)} more; decisions_list has them`)
    expect(recall(story.events, new Map(), { budgetTokens: 20 }).text).toBe('')
  })

  it('stays in its budget and has nothing to add to what it showed in full', () => {
    let said = 0
    fc.assert(
      fc.property(
        stories(),
        stories(),
        fc.nat(1_500),
        fc.lorem(),
        ({ events }, later, budgetTokens, query) => {
          const all = [...events, ...later.events]
          const shown = top(events).lines
          const block = recall(all, shown, { budgetTokens, query })
          expect(block.tokens).toBe(roughTokenCounter.countText(block.text))
          expect(block.tokens).toBeLessThanOrEqual(budgetTokens)
          for (const id of shown.keys()) expect(block.lines.has(id)).toBe(true)
          if (block.text !== '') said++
          const full = recall(all, shown, { budgetTokens: 1e6, query })
          expect(recall(all, full.lines, { budgetTokens: 1e6 }).text).not.toMatch(/^- (?!\[)/m)
        },
      ),
      { numRuns: 200 },
    )
    console.log(`${said} blocks with a text`)
    expect(said).toBeGreaterThan(70)
  })
})

describe('what was shown misleads', () => {
  it('when it was replaced, given up, taken back or contested since, and only then', () => {
    const replaced = begun()
    expect(misleading(replaced.shown, replaced.story)).toBe(false)
    replaced.story.assert({ slot: 'cache', choice: 'Redis' }, { turn: 20 })
    replaced.story.reaffirm(replaced.auth, { turn: 21 })
    expect(misleading(replaced.shown, replaced.story)).toBe(false)
    const next = replaced.story.assert({ slot: 'datastore', choice: 'MySQL' }, { turn: 27 })
    expect(misleading(replaced.shown, replaced.story)).toBe(true)
    replaced.story.supersede(replaced.datastore, next, { turn: 27 })
    expect(misleading(replaced.shown, replaced.story)).toBe(true)
    expect(misleading(top(replaced.story.events).lines, replaced.story)).toBe(false)

    const retracted = begun()
    retracted.story.retract(retracted.auth, { turn: 9 })
    expect(misleading(retracted.shown, retracted.story)).toBe(true)

    const taken = begun()
    taken.story.withdraw('s1', 8)
    expect(misleading(taken.shown, taken.story)).toBe(true)
  })

  it('not when it was shown as proposed, contested, over, or by its id only', () => {
    const story = createStory()
    const proposal = story.propose({ slot: 'cache', choice: 'Redis [user, turn 1; d0000000]' }, { turn: 1 })
    const first = story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 2 })
    const second = story.assert({ slot: 'auth', choice: 'sessions' }, { turn: 3 })
    const gone = story.assert({ slot: 'queue', choice: 'Kafka' }, { turn: 4 })
    story.retract(gone, { turn: 5 })
    const { lines: shown } = top(story.events)
    story.retract(proposal, { turn: 6 })
    story.supersede(first, second, { turn: 7 })
    expect(misleading(shown, story)).toBe(false)
    expect(misleading(new Map([[first, '']]), story)).toBe(false)
  })

  it('never right after it was rendered', () => {
    fc.assert(
      fc.property(stories(), fc.nat(3_000), ({ events }, budgetTokens) => {
        const isMisled = (lines: ReadonlyMap<string, string>) => misleads(lines, events)
        expect(isMisled(top(events, { budgetTokens }).lines)).toBe(false)
        expect(isMisled(recall(events, new Map(), { budgetTokens }).lines)).toBe(false)
      }),
      { numRuns: 200 },
    )
  })
})
