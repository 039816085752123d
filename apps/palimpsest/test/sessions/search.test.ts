import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { claudeLines, codexLines, fakeHome, piLines, runSessions } from './fake-home.ts'

/** A home with sessions about one word, in folders of three agents. */
function sessionsAbout() {
  const home = fakeHome()
  vi.stubEnv('PALIMPSEST_HOME', join(home.home, 'own'))
  const shop = join(home.home, 'shop')
  home.write('.claude/projects/-work-shop/26cf5b9c.jsonl', claudeLines('The port is 4711', shop))
  home.write(
    '.codex/sessions/2026/01/31/rollout-1.jsonl',
    codexLines('Which port did we take?', '/work/bank'),
  )
  home.write('.pi/agent/sessions/--work--/elsewhere.jsonl', piLines('Rename it', shop))
  return { ...home, shop, [Symbol.dispose]: () => home[Symbol.dispose]() }
}

const search = async (...args: string[]) => {
  const { stdout } = await runSessions('search', ...args, '--json')
  return JSON.parse(stdout) as {
    readonly complete: boolean
    readonly searched: number
    readonly sessions: readonly { readonly id: string; readonly hits: readonly { readonly text: string }[] }[]
  }
}

it('finds words in the sessions of all agents, and says where each is and how to read on', async () => {
  using _ = sessionsAbout()
  const { stdout } = await runSessions('search', 'port')
  const [title = '', place = '', ...rest] = stdout.split('\n')
  expect(title).toMatch(/^1, 26cf5b9c: claude-code, 2026-01-3\d \d\d:\d\d, .*~\/shop: The port is 4711$/)
  expect(place).toMatch(/^m\d+ {2}user {2,}\S+$/)
  const end = rest.join('\n')
  expect(end).toMatch(/^ {4}The port is 4711$/m)
  expect(end).toContain('2, rollout-: codex')
  expect(end).toContain('2 hits in 2 sessions; everything was searched')
  expect(end).toMatch(
    /^the whole message: palimpsest lcm expand m\d+ --session claude-code-\w+ --store \S+$/m,
  )
  expect(end).toContain('the whole session: palimpsest sessions export 26cf5b9c\n')
})

it('narrows to an agent or a folder, and its options are not those of the list', async () => {
  using home = sessionsAbout()
  const idsOf = async (...args: string[]) => (await search('port', ...args)).sessions.map(({ id }) => id)
  expect(await idsOf()).toEqual(['26cf5b9c', 'rollout-1'])
  expect(await idsOf('--agent', 'codex')).toEqual(['rollout-1'])
  expect(await idsOf('--project', home.shop)).toEqual(['26cf5b9c'])
  expect(await idsOf('--limit', '1')).toEqual(['26cf5b9c'])
  expect(await idsOf('--since', '2027-01-01')).toEqual([])
})

it('searches what was written since, and no more what was deleted', async () => {
  using home = sessionsAbout()
  expect((await search('turquoise')).sessions).toEqual([])
  const path = home.write('.pi/agent/sessions/--work--/later.jsonl', piLines('Paint it turquoise'))
  expect((await search('turquoise')).sessions).toMatchObject([{ id: 'later' }])
  rmSync(path)
  expect(await search('turquoise')).toMatchObject({ complete: true, searched: 3, sessions: [] })
})
