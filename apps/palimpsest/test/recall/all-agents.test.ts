import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { createLcmStoreTools } from '@palimpsest/lcm'
import { readTranscript } from '@palimpsest/transcripts'
import { describe, expect, it } from 'vitest'
import { AGENT_FILES } from '../../../../packages/transcripts/test/support/agent-files.ts'
import { openSessionIndex, type RecallScope } from '../../src/recall/session-index.ts'
import { AGENT_NAMES, type AgentName } from '../../src/sessions/agents.ts'
import { findSessionFiles } from '../../src/sessions/find-session-files.ts'
import { claudeLines, codexLines, fakeHome } from '../sessions/fake-home.ts'

interface Answer {
  readonly complete: boolean
  readonly unread?: readonly { readonly file: string; readonly reason: string }[]
  readonly note?: string
  readonly hits: readonly { readonly session: string }[]
}

interface Hit {
  readonly ref: string
  readonly matches?: readonly string[]
}

function setup() {
  const home = fakeHome()
  const project = join(home.home, 'proj')
  mkdirSync(project)
  const open = async (scope: RecallScope, more: { branches?: 'all'; patience?: number } = {}) => {
    const own = { folder: join(home.home, 'recall'), env: { ...process.env }, scope, project, log: () => {} }
    const index = await openSessionIndex({ patience: 60_000, ...own, ...more })
    const tools = createLcmStoreTools({ ...index, hidesReplaced: true })
    const grep = async (query: string): Promise<Answer> => {
      const answer = JSON.parse(await tools.call('lcm_grep', { query, limit: 20, order: 'newest' }))
      expect(answer.error).toBeUndefined()
      const sessions = answer.sessions ?? [answer]
      const hits = sessions.flatMap(({ session, hits }: { session: string; hits: Hit[] }) =>
        hits.flatMap(({ ref, matches = [ref] }) => matches.map(() => ({ session }))),
      )
      return { ...answer, hits }
    }
    return { ...index, grep }
  }
  const write = (agent: AgentName, number: number, words: readonly string[]) =>
    AGENT_FILES[agent]?.write({ home: home.home, number, words, cwd: project }) ?? ''
  return { home, project, open, write, [Symbol.dispose]: () => home[Symbol.dispose]() }
}

describe('a home with the sessions of all agents', () => {
  it('has 130 of 12 agents, and every word of them is found', async () => {
    using test = setup()
    // A folder has one history of aider.
    const others = AGENT_NAMES.filter((name) => name !== 'aider')
    const paths = Array.from({ length: 129 }, (_, at) => {
      const agent = others[at % others.length] as AgentName
      return { agent, word: `word${at}x`, path: test.write(agent, at, [`word${at}x`, 'kumquat']) }
    })
    paths.push({ agent: 'aider', word: 'word129x', path: test.write('aider', 0, ['word129x', 'kumquat']) })
    const { files, unread } = await findSessionFiles(process.env, test.project)
    expect(new Set(files.map(({ path }) => path))).toEqual(new Set(paths.map(({ path }) => path)))
    expect(new Set(files.map(({ agent }) => agent)).size).toBe(12)
    expect(unread).toEqual([])
    const index = await test.open('project')
    for (const { agent, word } of paths.slice(-13)) {
      const { hits, complete } = await index.grep(word)
      expect([agent, complete, hits.length]).toEqual([agent, true, agent === 'aider' ? 2 : 3])
      expect(hits[0]?.session).toMatch(new RegExp(`^${agent}-`))
    }
    await index.catchUp()
    let stored = 0
    for (const { key } of await index.store.list({ limit: 1_000 })) {
      const session = await index.store.find({ key })
      stored += (await session?.messages({ limit: 100 }))?.length ?? 0
    }
    const counted = paths.map(({ agent, path }) => AGENT_FILES[agent]?.count(path) ?? 0)
    expect(stored).toBe(counted.reduce((sum, each) => sum + each, 0))
    await index.close()
  })
})

describe('an answer is complete only when every file was read to its end', () => {
  it('names files that are damaged, cut off, of another version or of an agent that is not read', async () => {
    using test = setup()
    test.write('codex', 1, ['mango'])
    const index = await test.open('project')
    expect(await index.grep('mango')).toMatchObject({ complete: true })
    expect((await index.grep('mango')).unread).toBeUndefined()

    const broken = test.write('claude-code', 1, ['fig'])
    appendFileSync(broken, '{"type":"user","message":{"role":"us\n')
    const packed = zstdCompressSync(
      Buffer.from(
        codexLines('plum', test.project)
          .map((one) => JSON.stringify(one))
          .join('\n'),
      ),
    )
    const cut = join(test.home.home, '.codex/sessions/2026/05/01/rollout-cut.jsonl.zst')
    writeFileSync(cut, packed.subarray(0, 90))
    const sql = new DatabaseSync(test.home.write('.local/share/opencode/opencode-beta.db', ''))
    sql.exec('CREATE TABLE session_v3 (id text); CREATE TABLE message_v3 (id text)')
    sql.close()
    test.home.write('.kimi/sessions/x/context.jsonl', '{}')
    test.home.write('.claude/projects/-work/old.jsonl', claudeLines('An old word.', test.project))
    appendFileSync(join(test.home.home, '.claude/projects/-work/old.jsonl'), '{"half')
    const answer = await index.grep('mango')
    expect(answer.hits).toHaveLength(3)
    expect(answer.complete).toBe(false)
    expect(answer.note).toMatch(/files were not read to the end: what is not found may be there/)
    const reasons = Object.fromEntries(
      (answer.unread ?? []).map(({ file, reason }) => [file.split('/').at(-1), reason]),
    )
    expect(reasons).toMatchObject({
      'opencode-beta.db': expect.stringContaining('unknown tables'),
      sessions: expect.stringContaining('Kimi CLI are not read'),
      'rollout-cut.jsonl.zst': expect.stringContaining('damaged or cut off'),
    })
    await index.catchUp()
    const all = Object.fromEntries(
      ((await index.grep('mango')).unread ?? []).map(({ file, reason }) => [file.split('/').at(-1), reason]),
    )
    expect(all['1.jsonl']).toBe('line 5: not valid JSON')
    await index.close()
  })
})

describe('what agents put elsewhere', () => {
  it('is found: packed and archived rollouts, channel databases, saved results, pi’s own folder', async () => {
    using test = setup()
    const { home } = test.home
    const lines = (text: string) =>
      codexLines(text, test.project)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join('')
    mkdirSync(join(home, '.codex/sessions/2026'), { recursive: true })
    writeFileSync(
      join(home, '.codex/sessions/2026/rollout-1.jsonl.zst'),
      zstdCompressSync(Buffer.from(lines('The zstdmarker.'))),
    )
    test.home.write('.codex/archived_sessions/rollout-2.jsonl', lines('The archivemarker.'))
    test.write('opencode', 1, ['channelmarker'])
    const sql = new DatabaseSync(join(home, '.local/share/opencode/opencode.db'))
    sql.exec(
      `VACUUM INTO '${join(home, '.local/share/opencode/opencode-prod.db')}'; DELETE FROM session_message; DELETE FROM session_v2`,
    )
    sql.close()
    test.home.write('.pi/agent/settings.json', JSON.stringify({ sessionDir: '~/pi-sessions' }))
    const pi = test.write('pi', 1, ['pimarker'])
    test.home.write('pi-sessions/a.jsonl', readFileSync(pi, 'utf8'))
    rmSync(pi)
    const notice = `<persisted-output>\nOutput too large (80KB). Full output saved to: /x/tool-results/r.txt\n\nPreview\n</persisted-output>`
    const call = {
      id: 'm',
      role: 'assistant',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }],
    }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: notice }] }
    test.home.write('.claude/projects/-work/c.jsonl', [
      ...claudeLines('Run it.', test.project),
      { type: 'assistant', message: call },
      { type: 'user', message: result },
    ])
    test.home.write('.claude/projects/-work/c/tool-results/r.txt', 'The savedmarker is here.')
    const index = await test.open('project')
    for (const word of ['zstdmarker', 'archivemarker', 'channelmarker', 'pimarker', 'savedmarker']) {
      const { hits, complete } = await index.grep(word)
      expect([word, hits.length > 0, complete]).toEqual([word, true, true])
    }
    await index.close()
  })

  it('belongs to the project also where an older Gemini CLI says no more than the hash of its path', async () => {
    using test = setup()
    const projectHash = createHash('sha256').update(test.project).digest('hex')
    const message = { id: '1', type: 'user', content: 'The hashmarker.', timestamp: '2026-05-01T12:00:00Z' }
    const document = { sessionId: 's', projectHash, startTime: '2026-05-01T12:00:00Z', messages: [message] }
    test.home.write(`.gemini/tmp/${projectHash}/chats/session-1.json`, JSON.stringify(document, null, 2))
    const index = await test.open('project')
    expect((await index.grep('hashmarker')).hits).toHaveLength(1)
    await index.close()
  })

  it('is never the session that asks when it is a sub-agent’s, a guardian’s or a workflow’s', async () => {
    using test = setup()
    const child = (id: string, more: object) => {
      const [header, ...rest] = codexLines(`The ${id}marker.`, test.project)
      const payload = { ...(header?.payload as object), id, ...more }
      return [{ ...header, payload }, ...rest]
    }
    const spawn = { subagent: { thread_spawn: { parent_thread_id: 'x' } } }
    test.home.write(
      '.codex/sessions/rollout-1.jsonl',
      child('subagent', { source: spawn, thread_source: 'subagent' }),
    )
    test.home.write(
      '.codex/sessions/rollout-2.jsonl',
      child('guardian', { source: { subagent: { other: 'guardian' } } }),
    )
    test.home.write('.claude/projects/-w/agent-1.jsonl', claudeLines('The agentmarker.', test.project))
    test.home.write(
      '.claude/projects/-w/s/subagents/agent-2.jsonl',
      claudeLines('The deepmarker.', test.project),
    )
    test.home.write(
      '.claude/projects/-w/s/workflows/w/journal.jsonl',
      claudeLines('The flowmarker.', test.project),
    )
    test.home.write('.codex/sessions/rollout-3.jsonl', child('plain', { source: 'cli' }))
    expect((await findSessionFiles(process.env, test.project)).files).toHaveLength(1)
    const index = await test.open('session')
    expect((await index.grep('plainmarker')).hits.length).toBeGreaterThan(0)
    for (const word of ['subagentmarker', 'guardianmarker', 'agentmarker', 'deepmarker', 'flowmarker'])
      expect((await index.grep(word)).hits).toEqual([])
    await index.close()
  })
})

it('what an agent wrote again at a compaction is not there twice, and abandoned branches are there with the flag', async () => {
  using test = setup()
  const row = (uuid: string, parentUuid: string | null, type: string, text: string, minute: number) => ({
    ...{ uuid, parentUuid, type, cwd: test.project, sessionId: 's' },
    timestamp: new Date(Date.UTC(2026, 4, 1, 12, minute)).toISOString(),
    message: { role: type, ...(type === 'assistant' && { id: uuid }), content: [{ type: 'text', text }] },
  })
  const rows = [
    row('u1', null, 'user', 'The firstmarker.', 0),
    row('a1', 'u1', 'assistant', 'Noted.', 1),
    row('u2', 'a1', 'user', 'The leftmarker.', 2),
    row('u3', 'a1', 'user', 'The takenmarker.', 3),
    row('a3', 'u3', 'assistant', 'Taken.', 4),
    row('u4', 'a3', 'user', 'And on.', 5),
    row('a4', 'u4', 'assistant', 'On.', 6),
  ]
  const path = test.home.write('.claude/projects/-w/s.jsonl', rows)
  const index = await test.open('project')
  expect((await index.grep('firstmarker')).hits).toHaveLength(1)
  const again = [...rows.slice(0, 2), row('u5', 'a1', 'user', 'The lastmarker.', 7)]
  appendFileSync(path, again.map((one) => `${JSON.stringify(one)}\n`).join(''))
  expect((await index.grep('lastmarker')).hits).toHaveLength(1)
  expect((await index.grep('firstmarker')).hits).toHaveLength(1)
  expect((await index.grep('takenmarker')).hits).toHaveLength(1)
  expect((await index.grep('leftmarker')).hits).toHaveLength(0)
  await index.close()
  rmSync(join(test.home.home, 'recall'), { recursive: true })
  const branches = await test.open('project', { branches: 'all' })
  expect((await branches.grep('leftmarker')).hits).toHaveLength(1)
  expect((await readTranscript(path, { branches: 'all' })).entries).toHaveLength(8)
  await branches.close()
})
