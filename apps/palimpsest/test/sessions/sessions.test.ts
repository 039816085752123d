import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { findSession } from '../../src/sessions/session-file.ts'
import { asOrdinaryUser, claudeLines, codexLines, fakeHome, piLines, runSessions } from './fake-home.ts'

describe('palimpsest sessions', () => {
  it('lists the sessions of all three agents, the newest first', async () => {
    using home = fakeHome()
    home.write(
      '.claude/projects/-work-shop/1.jsonl',
      claudeLines('Why does the\n  build fail?', `${home.home}/shop`),
    )
    home.write('.codex/sessions/2026/01/31/rollout-1.jsonl', codexLines('Use MySQL'))
    home.write('.pi/agent/sessions/--work--/1.jsonl', piLines('Rename it'))
    const { stdout, stderr } = await runSessions()
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | ').trim())
    expect(lines[0]).toBe('# | ID | AGENT | LAST WRITTEN | SIZE | PROJECT | BEGAN WITH')
    expect(lines[1]).toMatch(
      /^1 \| 1 \| claude-code \| 2026-01-3\d \d\d:\d\d \| \d+ B \| ~\/shop \| Why does the build fail\?$/,
    )
    expect(lines[2]).toMatch(/^2 \| rollout- \| codex \| .* \| \/work\/shop \| Use MySQL$/)
    expect(lines[3]).toMatch(/^3 \| 1 \| pi \| .* \| \/work\/shop \| Rename it$/)
    expect(lines[5]).toBe('3 sessions. palimpsest replay <id> takes one of them.')
    expect(stderr).toBe('')
  })

  it('looks where the agents were told to keep them', async () => {
    using home = fakeHome()
    vi.stubEnv('CLAUDE_CONFIG_DIR', join(home.home, 'a'))
    vi.stubEnv('CODEX_HOME', join(home.home, 'b'))
    vi.stubEnv('PI_CODING_AGENT_DIR', join(home.home, 'c'))
    home.write('a/projects/x/1.jsonl', claudeLines('one'))
    home.write('b/sessions/1.jsonl', codexLines('two'))
    home.write('c/sessions/x/1.jsonl', piLines('three'))
    home.write('.claude/projects/x/1.jsonl', claudeLines('not here'))
    const { sessions } = JSON.parse((await runSessions('--json')).stdout)
    expect(sessions.map(({ began }: { began: string }) => began)).toEqual(['one', 'two', 'three'])
  })

  it('says where it looked when there is nothing', async () => {
    using home = fakeHome()
    const { stdout } = await runSessions()
    for (const folder of ['.claude/projects', '.codex/sessions', '.pi/agent/sessions'])
      expect(stdout).toContain(join(home.home, folder))
    const codex = (await runSessions('--agent', 'codex')).stdout
    expect(codex).toContain('no session of codex was found')
    expect(codex).toContain(join(home.home, '.codex/sessions'))
    expect(codex).not.toContain('.claude')
  })

  it('lists broken files with what is wrong with them', async () => {
    using home = fakeHome()
    const files: [string, string | unknown[], string][] = [
      ['empty', '', 'empty'],
      ['blank', '\n \n', 'empty'],
      ['text', 'just some notes', 'its lines are not JSON'],
      ['binary', '\0\x01\x02\uFFFD', 'its lines are not JSON'],
      ['half', '{"type":"user","message":{"role":"us', 'its lines are not JSON'],
      ['silent', [{ type: 'summary', summary: 'x' }], 'has no message of the user'],
      [
        'odd',
        '[1]\nnull\n7\n{"message":7,"cwd":[]}\n{"message":{"role":"user","content":{}}}',
        'no message of the user',
      ],
    ]
    for (const [name, content] of files) home.write(`.claude/projects/x/${name}.jsonl`, content)
    const { stdout } = await runSessions()
    const lines = stdout.split('\n')
    for (const [at, [, , problem]] of files.entries()) expect(lines[at + 1]).toContain(problem)
  })

  it('lists the sessions in the database of opencode, and replays one', async () => {
    using home = fakeHome()
    const path = home.write('.local/share/opencode/opencode.db', '')
    const sql = new DatabaseSync(path)
    const part = { type: 'text', text: 'Fix the shop' }
    sql.exec(`
      CREATE TABLE session (id text, parent_id text, directory text, revert text, time_updated integer);
      CREATE TABLE message (id text, session_id text, time_created integer, data text);
      CREATE TABLE part (id text, message_id text, session_id text, data text);
      INSERT INTO session VALUES ('ses_1', NULL, '/work/shop', NULL, 1769850000000);
      INSERT INTO message VALUES ('msg_1', 'ses_1', 1, '{"role":"user"}');
      INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '${JSON.stringify(part)}')`)
    sql.close()
    home.write('.claude/projects/x/1.jsonl', claudeLines('First things first'))
    const { sessions } = JSON.parse((await runSessions('--json', '--agent', 'opencode')).stdout)
    expect(sessions).toMatchObject([
      {
        agent: 'opencode',
        path: `${path}#ses_1`,
        project: '/work/shop',
        began: 'Fix the shop',
        problem: null,
      },
    ])
    expect((await findSession(String(sessions[0].number))).path).toBe(`${path}#ses_1`)
  })

  it('never sends a control character of a file to the terminal', async () => {
    using home = fakeHome()
    const evil = '\x1b]0;owned\x07\x1b[2J\x9b31mred\u2028'
    home.write('.claude/projects/x/1.jsonl', claudeLines(evil, `/tmp/${evil}`))
    home.write(`.pi/agent/sessions/\x1b[31m/1.jsonl`, piLines(evil))
    const { stdout } = await runSessions()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028]/)
    expect(stdout).toContain('owned')
    const { sessions } = JSON.parse((await runSessions('--json')).stdout)
    expect(sessions[0].began).toBe('␛]0;owned␇␛[2J\uFFFD31mred')
  })

  it('goes on where permission is denied', async () => {
    using home = fakeHome()
    chmodSync(home.write('.pi/agent/sessions/x/1.jsonl', piLines('secret')), 0)
    home.write('.pi/agent/sessions/y/1.jsonl', piLines('locked'))
    home.write('.pi/agent/sessions/z/1.jsonl', piLines('open'))
    const locked = join(home.home, '.pi/agent/sessions/y')
    chmodSync(locked, 0)
    const { stdout, stderr } = await asOrdinaryUser(home.home, () => runSessions())
    chmodSync(locked, 0o700)
    expect(stdout).toContain('open')
    expect(stdout).toContain('(cannot be read (EACCES))')
    expect(stderr).toBe(`not read: ${locked}: it cannot be looked into (EACCES)\n`)
  })
})
