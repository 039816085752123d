import { afterEach, describe, expect, it } from 'vitest'
import { findSession } from '../../src/sessions/session-file.ts'
import { UsageError } from '../../src/usage-error.ts'
import { claudeLines, fakeHome, piLines, runSessions } from './fake-home.ts'

const start = process.cwd()
afterEach(() => process.chdir(start))

describe('findSession', () => {
  it('takes a number of the list, and says what it stood for', async () => {
    using home = fakeHome()
    home.write('.claude/projects/x/1.jsonl', claudeLines('newest'))
    const path = home.write('.pi/agent/sessions/x/1.jsonl', piLines('Rename\x1b[2J it'))
    const found = await findSession('2')
    expect(found.path).toBe(path)
    expect(found.note).toMatch(
      /^session 2, 1: pi, 2026-01-3\d \d\d:\d\d, \d+ B, \/work\/shop: Rename␛\[2J it$/,
    )
  })

  it('takes an id or its beginning, which stays when others are written', async () => {
    using home = fakeHome()
    const [one, two] = ['26cf5b9c-1111-4222-8333-444444444444', '26cf5b9c-9999-4222-8333-444444444444']
    const claude = home.write(`.claude/projects/x/${one}.jsonl`, claudeLines('one'))
    const codex = home.write(`.codex/sessions/2026/01/31/rollout-2026-01-31T10-00-00-${two}.jsonl`, [])
    const copilot = home.write('.copilot/session-state/1b2c3d4e/events.jsonl', [])
    const found = async (id: string) => (await findSession(id)).path
    expect(await found(one)).toBe(claude)
    expect(await found('26cf5b9c-9')).toBe(codex)
    expect(await found('1B2C3')).toBe(copilot)
    expect((await findSession('26cf5b9c-1')).note).toContain('session 1, 26cf5b9c-1: claude-code')
    await expect(findSession('26cf')).rejects.toThrow(
      `26cf begins the ids of 2 sessions: ${one}, ${two}; write more of one, or its number`,
    )
    // The list shows the shortest unique beginning of each id.
    const { stdout } = await runSessions()
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/)[1])).toEqual(
      expect.arrayContaining(['26cf5b9c-1', '26cf5b9c-9', '1b2c3d4e']),
    )
  })

  it('takes a number that no list is long enough for as the beginning of an id', async () => {
    using home = fakeHome()
    const task = home.write('.cline/data/tasks/1769850000000/api_conversation_history.json', '[]')
    expect((await findSession('17698500')).path).toBe(task)
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
