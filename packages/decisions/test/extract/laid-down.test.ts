import { describe, expect, it } from 'vitest'
import { candidatesOf, read } from './read.ts'

describe('what is laid down without a verb of choosing', () => {
  it.each([
    ['watermark of 417 MB', ['setting:watermark: 417 MB']],
    ['We are building a todo app with Next.js and Tailwind', ['frontend: Next.js', 'styling: Tailwind']],
    ["I'm building a weather app in Flutter.", ['mobile: Flutter']],
    ['port 5180 please', ['setting:port: 5180']],
    ['node 22 it is', ['runtime: Node.js 22']],
    ['poetry, ruff, pytest.', ['package-manager: Poetry', 'linter: Ruff', 'test-runner: pytest']],
    ['CI moves to GitHub Actions.', ['ci: GitHub Actions']],
    ['alerts go to PagerDuty', ['monitoring: PagerDuty']],
    ['Login is via magic links only', ['auth: magic links']],
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
