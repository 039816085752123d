import { describe, expect, it } from 'vitest'
import { searchMessages } from '../../src/search/search-messages.ts'
import { clock, sessionOf, user } from './session-fixture.ts'

describe('the place that a hit shows', () => {
  it('shows the place of the rarest term in a long text', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) =>
      index === 31_234 ? 'line 31235 NEEDLE=blue42' : `line ${index + 1} of the log`,
    )
    const session = await sessionOf([{ role: 'tool', tool_call_id: 'c', content: lines.join('\n') }])
    for (const query of ['line needle', 'needle line', 'needle log line']) {
      const [hit] = (await searchMessages(session, { query }, { clock })).hits
      expect(hit).toMatchObject({ line: query.includes('log') ? 31_234 : 31_235, matches: 1_000 })
      expect(hit?.snippet).toContain('NEEDLE=blue42')
    }
  })

  it('is where most terms stand together, and there where they are closest', async () => {
    const far = `red ${'x '.repeat(60)}blue. `
    const gap = 'y '.repeat(300)
    const text = `red ${gap}${far}${gap}green red ${gap}red ${'z '.repeat(40)}blue red green ${gap}red`
    const [hit] = (
      await searchMessages(await sessionOf([user(text)]), { query: 'red green blue' }, { clock })
    ).hits
    const { start, length } = hit?.position ?? { start: 0, length: 0 }
    expect(text.slice(start, start + length)).toBe('blue red green')
  })

  it('takes no part of a longer word for a word', async () => {
    const text = `${'a'.repeat(199)}blue red ${'word '.repeat(100)} blue`
    const [hit] = (await searchMessages(await sessionOf([user(text)]), { query: 'red blue' }, { clock })).hits
    expect(hit).toMatchObject({ matches: 2, found: 'red' })
  })
})
