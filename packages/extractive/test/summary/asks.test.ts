import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../../src/index.ts'
import { quarter, section, user } from '../conversation.ts'

describe('what users asked', () => {
  it('is kept when it named something, before small talk of the same age', () => {
    const talk = ['Would a generator be faster?', 'The coffee machine is broken again, by the way.']
    const named = 'A missing barcode makes the ranking answer `E_4037_KAKINUPO`.'
    const messages = [...talk, named, ...talk.map((text) => `${text} Really.`), 'Go on.'].map(user)
    const summary = summarizeExtractively({ messages, maxTokens: 190, tokens: quarter })
    expect(summary).toContain('E_4037_KAKINUPO')
    const again = summarizeExtractively({
      messages: Array.from({ length: 12 }, (_, index) =>
        user(`${talk[index % 2]} (${'so '.repeat(index + 1)})`),
      ),
      previousSummary: summary,
      maxTokens: 190,
      tokens: quarter,
    })
    expect(again).toContain('E_4037_KAKINUPO')
  })

  it('is told as values too, whatever they are called: symbols, paths and errors', () => {
    const messages = [user('The helper is `_lefilube`. Tests live in tests/recipe/data.'), user('Go on.')]
    const summary = summarizeExtractively({ messages, maxTokens: 1000, tokens: quarter })
    expect(section(summary, 'Goal').join('\n')).toMatch(/_lefilube.*tests\/recipe\/data/)
  })
})

describe('lists of identifiers', () => {
  it('are left to the caller who says so', () => {
    const messages = [user('Look at flushQueue in src/queue.ts.'), user('And drainQueue?')]
    const input = { messages, maxTokens: 1000, tokens: quarter }
    const bare = summarizeExtractively({ ...input, identifiers: [] })
    expect(bare).not.toContain('other symbols:')
    const listed = summarizeExtractively({
      ...input,
      identifiers: [{ text: 'settleLedger', kind: 'symbol' }],
    })
    expect(listed).toContain('other symbols: settleLedger')
  })

  it('are read back line by line from an earlier summary', () => {
    const previousSummary =
      '## Identifiers\nvalues: limit of QUEUE is 42\npaths: src/a.ts src/b.ts\nsymbols: flushQueue'
    const summary = summarizeExtractively({
      messages: [user('Go on.')],
      previousSummary,
      maxTokens: 1000,
      tokens: quarter,
    })
    expect(summary).toContain('limit of QUEUE is 42')
    expect(summary).toContain('other paths: src/a.ts src/b.ts')
    expect(summary).toContain('other symbols: flushQueue')
  })
})
