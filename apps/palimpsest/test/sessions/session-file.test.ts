import { afterEach, describe, expect, it } from 'vitest'
import { findSession } from '../../src/sessions/session-file.ts'
import { UsageError } from '../../src/usage-error.ts'
import { claudeLines, fakeHome, piLines } from './fake-home.ts'

const start = process.cwd()
afterEach(() => process.chdir(start))

describe('findSession', () => {
  it('takes a number of the list, and says what it stood for', async () => {
    using home = fakeHome()
    home.write('.claude/projects/x/1.jsonl', claudeLines('newest'))
    const path = home.write('.pi/agent/sessions/x/1.jsonl', piLines('Rename\x1b[2J it'))
    const found = await findSession('2')
    expect(found.path).toBe(path)
    expect(found.note).toMatch(/^session 2: pi, 2026-01-3\d \d\d:\d\d, \d+ B, \/work\/shop: Rename␛\[2J it$/)
  })

  it('takes an existing path before a number, and leaves what is neither to its reader', async () => {
    using home = fakeHome()
    home.write('.pi/agent/sessions/x/1.jsonl', piLines('one'))
    process.chdir(home.home)
    home.write('1', piLines('a file with such a name'))
    expect(await findSession('1')).toEqual({ path: '1' })
    expect(await findSession('session.jsonl')).toEqual({ path: 'session.jsonl' })
    expect(await findSession('-')).toEqual({ path: '-' })
  })

  it.each(['0', '3', '99999999999999999999'])(
    'says how many there are when %s is not one',
    async (number) => {
      using home = fakeHome()
      for (const name of ['a', 'b']) home.write(`.pi/agent/sessions/x/${name}.jsonl`, piLines(name))
      const found = findSession(number)
      await expect(found).rejects.toBeInstanceOf(UsageError)
      await expect(found).rejects.toThrow(
        `there is no session ${number}: palimpsest sessions --all has 2 sessions`,
      )
    },
  )
})
