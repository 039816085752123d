import { roughTokenCounter, type TokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { entryLines, top, touch } from './renders.ts'
import { createStory } from './said.ts'
import { stories } from './stories.ts'

/** What a tokenizer hardly does: a long text has more tokens than its lines. */
const greedyCounter: TokenCounter = {
  ...roughTokenCounter,
  countText: (text) => roughTokenCounter.countText(text) + Math.floor(text.length ** 1.2 / 40),
}

describe('the block at the top', () => {
  it('is empty when nothing was decided', () => {
    expect(top([])).toEqual({ text: '', tokens: 0, lines: new Map() })
  })

  it('groups by category and leaves proposals out of what is decided', () => {
    const story = createStory()
    story.propose({ slot: 'logging', choice: 'pino' }, { turn: 1 })
    story.assert({ slot: 'setting:retries', choice: '3', category: 'behavior' }, { turn: 2 })
    story.assert({ slot: 'auth', choice: 'JWT' }, { turn: 3 })
    const { text } = top(story.events)
    expect(text.match(/^## .*$/gm)).toEqual(['## decisions', '## behavior', '## proposed, not decided'])
    expect(text.indexOf('pino')).toBeGreaterThan(text.indexOf('## proposed, not decided'))
    expect(text.startsWith('<project_decisions>\n')).toBe(true)
    expect(text.endsWith('\n</project_decisions>')).toBe(true)
  })

  it('degrades to lines, to ids and to a count, and keeps rules and choices longest', () => {
    const story = createStory()
    for (let index = 0; index < 60; index++)
      story.assert(
        { slot: `fact:f${index}`, choice: `detail number ${index} of the plan` },
        { turn: index + 1 },
      )
    story.assert({ slot: 'rule:tests', choice: 'no test without an assertion' }, { turn: 61 })
    story.assert({ slot: 'datastore', choice: 'PostgreSQL' }, { turn: 62 })
    const tight = top(story.events, { budgetTokens: 500 })
    expect(tight.text).toContain('no test without an assertion')
    expect(tight.text).toContain('PostgreSQL')
    expect(tight.text).toMatch(/also on record: fact d\w{7}; fact/)
    expect(tight.text).toMatch(/not shown here: \d+ that hold; decisions_list has them/)
    expect(top(story.events, { budgetTokens: 20 }).text).toBe('')
  })

  it('prefers what the query is about', () => {
    const story = createStory()
    for (let index = 0; index < 40; index++)
      story.assert(
        { slot: `fact:f${index}`, choice: `the colour of page ${index} is blue` },
        { turn: index + 1 },
      )
    story.assert({ slot: 'fact:limits', choice: 'uploads are limited to 40 MB' }, { turn: 50 })
    const budgetTokens = 200
    expect(top(story.events, { budgetTokens }).text).not.toContain('40 MB')
    expect(top(story.events, { budgetTokens, query: 'how large may an upload be?' }).text).toContain('40 MB')
  })

  it('lists what was done to files, by folder when they are many', () => {
    const some = top([], {
      artifacts: [
        touch('src/a.ts', 'read', 1),
        touch('src/a.ts', 'edited', 2),
        touch('src/b.ts', 'edited', 3, true),
      ],
    })
    expect(entryLines(some.text)).toEqual(['- src/a.ts: edited, turn 2 (read once, edited once)'])
    const many = Array.from({ length: 400 }, (_, index) =>
      touch(`src/m${index % 20}/f${index}.ts`, index % 3 === 0 ? 'edited' : 'read', index),
    )
    const { text, tokens } = top([], { artifacts: many })
    expect(text).toMatch(/^- src\/m0\/: f\d+\.ts \(edited, turn \d+\), .* and 12 more$/m)
    expect(tokens).toBeLessThan(7_500 * 0.15 + 100)
  })

  it('keeps its earlier lines when a decision is added and there is room', () => {
    fc.assert(
      fc.property(stories({ maxLength: 20 }), ({ events }) => {
        const before = entryLines(top(events, { budgetTokens: 1e6 }).text)
        const story = createStory()
        story.assert({ slot: 'something-new', choice: 'entirely' }, { turn: 900 })
        const after = entryLines(top([...events, ...story.events], { budgetTokens: 1e6 }).text)
        expect(after.filter((line) => !line.includes('something-new'))).toEqual(before)
      }),
      { numRuns: 100 },
    )
  })

  const counters: [string, TokenCounter][] = [
    ['a rough counter', roughTokenCounter],
    ['one that makes more of the whole than of its parts', greedyCounter],
  ]
  it.each(counters)('stays in its budget, and loses nothing, whatever was said: %s', (_, tokens) => {
    let empty = 0
    let full = 0
    const budgets = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 100, max: 4_000 }))
    fc.assert(
      fc.property(
        stories(),
        budgets,
        fc.string({ unit: 'binary' }),
        ({ events, artifacts }, budgetTokens, query) => {
          const block = top(events, { budgetTokens, query, artifacts, tokens })
          expect(tokens.countText(block.text)).toBe(block.tokens)
          expect(block.tokens).toBeLessThanOrEqual(budgetTokens)
          expect(top(events, { budgetTokens, query, artifacts, tokens })).toEqual(block)
          const { all } = createDecisionLedger(events)
          if (block.text === '') {
            if (all.some(({ status }) => status !== 'superseded')) {
              empty++
              expect(budgetTokens).toBeLessThan(200)
            }
            return
          }
          full++
          checkBlock(block.text)
          // Each decision that holds is there by its line, by its id, or counted.
          const active = all.filter(({ status }) => status === 'active')
          expect(active.filter(({ id }) => !block.lines.has(id))).toEqual([])
          const counted = Number(/^not shown here: (\d+) that hold/m.exec(block.text)?.[1] ?? 0)
          const named = active.filter(({ id }) => block.text.includes(id.slice(0, 8))).length
          const rivals = active.filter(({ contestedBy }) => contestedBy.length > 3).length
          expect(named + counted + rivals).toBeGreaterThanOrEqual(active.length)
          // What nobody took up is never shown as decided: a choice stands apart, a claim says whose it is.
          const [decided = ''] = block.text.split(/## (?:said|proposed), not decided/)
          for (const { id, status, category, slot } of all) {
            if (status !== 'proposed') continue
            const shown = decided.split('\n').filter((line) => line.endsWith(`; ${id.slice(0, 8)}]`))
            if (category === 'decisions' && !slot.startsWith('fact:')) expect(shown).toEqual([])
            for (const line of shown) expect(line).toMatch(CLAIMED)
          }
        },
      ),
      { numRuns: 300 },
    )
    console.log(`${full} blocks, ${empty} without room`)
    expect(full).toBeGreaterThan(150)
  })
})

/** The tag of a claim, the last bracket of its line. */
const CLAIMED =
  /\[(?:said by the assistant, not confirmed|raised by the user, not decided|not confirmed), [^[]*$/

/** Nothing that was said opens or closes a block, or begins a line or a part of its own. */
function checkBlock(text: string): void {
  const lines = text.split('\n')
  expect(lines[0]).toBe('<project_decisions>')
  expect(lines.at(-1)).toBe('</project_decisions>')
  const inside = lines.slice(1, -1)
  expect(inside.join('\n')).not.toMatch(
    /<\s*\/?\s*(?:project_decisions|recent_decisions|conversation_summary|relevant_code)/i,
  )
  expect(inside.join('')).not.toMatch(/[\p{Cc}\u2028\u2029]|\p{Cs}/u)
  for (const line of inside.slice(1))
    expect(line).toMatch(
      /^(?:- | {2}|## (?:decisions|structure|behavior|relationships|said, not decided|proposed, not decided|files touched)$|also on record: |not shown here: )/,
    )
}
