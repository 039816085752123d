import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuote } from '../../src/quotes/read-quote.ts'

const saying = (text: string, quote: string, choice: string, slot = 'datastore') =>
  readQuote({ text }, quote, { slot, choice })?.saying

describe('a quote with the clause around it', () => {
  it.each([
    ['No, we use Postgres.', 'use Postgres', 'PostgreSQL'],
    ["We don't want MySQL, use Postgres.", 'use Postgres', 'Postgres'],
    ['Use Postgres instead of MySQL.', 'Use Postgres', 'Postgres'],
    ['Use Postgres, not MongoDB.', 'Use Postgres', 'Postgres'],
    ['Instead of MySQL use Postgres.', 'use Postgres', 'Postgres'],
    ['Drop MySQL and use Postgres.', 'use Postgres', 'Postgres'],
    ['Replace MySQL with Postgres.', 'with Postgres', 'Postgres'],
    ["Don't forget to use Postgres.", 'use Postgres', 'Postgres'],
    ['No problem, go with Postgres.', 'go with Postgres', 'Postgres'],
    ['Wir nehmen Postgres.', 'nehmen Postgres', 'Postgres'],
    ['我们用MongoDB。', '我们用MongoDB', 'MongoDB'],
  ])('states: %s', (text, quote, choice) => {
    expect(saying(text, quote, choice)).toBe('stated')
  })

  it.each([
    ['The retries must not exceed 5.', 'must not exceed 5', '5', 'setting:retries'],
    ['Never push to main.', 'Never push to main', 'Never push to main', 'rule:push'],
    ['Without exception use tabs.', 'use tabs', 'use tabs', 'rule:tabs'],
    [
      'If the request fails, always retry it three times.',
      'always retry it three times',
      'always retry it three times',
      'rule:retry',
    ],
  ])('states a limit, a ban and a rule with a condition: %s', (text, quote, choice, slot) => {
    expect(saying(text, quote, choice, slot)).toBe('stated')
  })

  it.each([
    ['Please do not use MongoDB, it lost our data.', 'use MongoDB'],
    ['Do not, under any circumstances, use MongoDB.', 'use MongoDB'],
    ['I would never use MongoDB for this.', 'use MongoDB'],
    ['MongoDB is not an option.', 'MongoDB'],
    ['Replace MongoDB with Postgres.', 'MongoDB'],
    ['Move everything from MongoDB to Postgres.', 'MongoDB'],
    ['Should we use MongoDB? No, never use MongoDB.', 'use MongoDB'],
    ['Wir nehmen MongoDB nicht.', 'MongoDB'],
    ['Wir nehmen kein MongoDB.', 'MongoDB'],
    ["N'utilisez jamais MongoDB.", 'MongoDB'],
    ['请不要使用MongoDB。', '使用MongoDB'],
  ])('refuses: %s', (text, quote) => {
    expect(saying(text, quote, 'MongoDB')).toBe('refused')
  })

  it('loses no negation of a rule', () => {
    expect(saying('Never push to main.', 'push to main', 'push to main', 'rule:push')).toBe('refused')
  })

  it.each([
    ['Would MongoDB be better?', 'MongoDB'],
    ['Maybe we use MongoDB.', 'we use MongoDB'],
    ['If we ever grow, MongoDB it is.', 'MongoDB it is'],
  ])('leaves open: %s', (text, quote) => {
    expect(saying(text, quote, 'MongoDB')).toBe('open')
  })

  it('is the whole clause with its reason, wherever in it the quote stands', () => {
    const text = 'Hi. We go with Postgres because the host has it. Thanks.'
    expect(readQuote({ text }, 'go  with\npostgres')).toEqual({
      start: 4,
      end: 48,
      text: 'We go with Postgres because the host has it.',
      saying: 'stated',
    })
    expect(readQuote({ text }, 'go with MySQL')).toBeUndefined()
    expect(readQuote({ text }, '  ')).toBeUndefined()
  })

  it('never breaks, and lies in the text, whatever both are', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 80 })
    const parts = fc.constantFrom('use X. ', 'not ', '"a b c d" ', '```\n', '> ', '? ', '🙂 ', 'If so, ')
    let found = 0
    fc.assert(
      fc.property(fc.array(fc.oneof(texts, parts), { maxLength: 12 }), fc.nat(), fc.nat(), (list, a, b) => {
        const text = list.join('')
        const [from, to] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y)
        const quote = text.slice(from, to)
        const read = readQuote({ text }, quote, { slot: 'fact:x', choice: quote || 'x' })
        if (read === undefined) return
        found++
        expect(text.slice(read.start, read.end)).toBe(read.text)
      }),
    )
    console.log(`${found} quotes found`)
    expect(found).toBeGreaterThan(20)
  })
})
