import { describe, expect, it } from 'vitest'
import { candidatesOf, read } from './read.ts'

describe('what is laid down without a verb of choosing', () => {
  it.each([
    ['watermark of 417 MB', ['setting:watermark: 417 MB']],
    ['We are building a todo app with Next.js and Tailwind', ['frontend: Next.js', 'styling: Tailwind']],
    ["I'm building a weather app in Flutter.", ['mobile: Flutter']],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected)
    expect(candidatesOf(text)[0]).toMatchObject({ isChange: false })
  })

  it.each([
    ['If the locale is missing, the parser must raise `LocaleError`.', 'rule:'],
    ['If no user is found, it must return 404.', 'rule:'],
  ])('is behaviour: %s', (text, prefix) => {
    const [only, ...others] = candidatesOf(text)
    expect(others).toEqual([])
    expect(only).toMatchObject({ kind: 'assert', choice: { category: 'behavior' } })
    expect(only?.kind === 'assert' && only.choice.slot.startsWith(prefix)).toBe(true)
  })

  it.each(['ok Show me the diff first', 'yes, but first run the tests', 'Agreed. Show me the diff first.'])(
    'is taken up with a request behind it: %s',
    (reply) => {
      const before = 'Done.\n\nI suggest Django for the price sync.'
      expect(read(reply, before)).toEqual(['accepted web-framework: Django (price sync)'])
    },
  )
})
