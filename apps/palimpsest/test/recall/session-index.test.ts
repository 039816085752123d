import { spawn } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Message, Store } from '@palimpsest/core'
import { createLcmStoreTools } from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'
import { openSessionIndex, type RecallScope } from '../../src/recall/session-index.ts'
import { PROGRAM } from '../run-cli.ts'
import { codexLines, fakeHome, piLines } from '../sessions/fake-home.ts'

let turn = 0

/** A turn of Claude Code: the user's line, and the answer. */
function turnLines(text: string, cwd = '/work/shop'): string {
  turn++
  const base = { cwd, sessionId: 's', timestamp: new Date(Date.UTC(2026, 0, 1) + turn * 1_000).toISOString() }
  const answer = [{ type: 'text', text: `Understood, number ${turn}.` }]
  const lines = [
    { ...base, type: 'user', uuid: `u${turn}`, message: { role: 'user', content: text } },
    {
      ...base,
      type: 'assistant',
      uuid: `a${turn}`,
      message: { id: `m${turn}`, role: 'assistant', content: answer },
    },
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const long = (words: readonly string[]) =>
  words.map((word) => turnLines(`Remember the ${word} for later.`)).join('')

interface Hit {
  readonly ref: string
  readonly matches?: readonly string[]
  readonly text: string
}

function setup() {
  const home = fakeHome()
  const env = { ...process.env }
  const open = async (scope: RecallScope = 'project', asking?: string, patience?: number) => {
    const own = { folder: join(home.home, 'recall'), env, scope, project: '/work/shop', asking }
    const options = { ...own, ...(patience !== undefined && { patience }) }
    const failures: string[] = []
    const index = await openSessionIndex({ ...options, log: (line) => failures.push(line) })
    const tools = createLcmStoreTools({ ...index, hidesReplaced: true })
    const grep = async (query: string, more: object = {}) => {
      const answer = JSON.parse(await tools.call('lcm_grep', { query, order: 'newest', context: 0, ...more }))
      expect(answer.error).toBeUndefined()
      const sessions = answer.sessions ?? [answer]
      return sessions.flatMap(({ session, hits }: { session: string; hits: Hit[] }) =>
        hits.flatMap(({ ref, matches = [ref], text }) => matches.map(() => ({ session, text }))),
      ) as { session: string; text: string }[]
    }
    /** The messages of the only session, as JSON. */
    const live = async () => {
      const [session] = await index.store.list({ limit: 1 })
      const stored = session && (await index.store.find(session))
      const messages = (await stored?.messages({ limit: 100 })) ?? []
      return messages.map(({ message }) => message as Message)
    }
    return { ...index, grep, live, failures, call: tools.call }
  }
  const claude = (name: string, text: string) => home.write(`.claude/projects/-work-shop/${name}.jsonl`, text)
  /** The server in a process of its own, for as long as its input is open. */
  const start = () => {
    const { home: cwd } = home
    const env = { ...process.env, PALIMPSEST_HOME: cwd, CLAUDE_PROJECT_DIR: '/work/shop' }
    return spawn(process.execPath, [...PROGRAM, 'mcp'], { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] })
  }
  return { home, open, claude, start, [Symbol.dispose]: () => home[Symbol.dispose]() }
}

describe('the index of session files', () => {
  it('finds the words of all three agents, in this project or in all', async () => {
    using test = setup()
    test.claude('one', turnLines('The zebra is in the shop.'))
    test.home.write('.codex/sessions/2026/rollout-1.jsonl', codexLines('A zebra for Codex.'))
    test.home.write('.pi/agent/sessions/p/1.jsonl', piLines('The pi zebra.', '/work/other'))
    const project = await test.open()
    expect((await project.grep('zebra')).map(({ session }) => session.replace(/-\w{10}$/, ''))).toEqual([
      'claude-code',
      'codex',
    ])
    await project.close()
    const all = await test.open('all')
    expect(await all.grep('zebra')).toHaveLength(3)
    await all.close()
    const one = await test.open('session')
    expect(await one.grep('zebra')).toHaveLength(1)
    await one.close()
  })

  it('does not say how many messages a session has that was not read yet', async () => {
    using test = setup()
    test.claude('one', turnLines('Nothing of it was read.'))
    test.claude('two', turnLines('Nothing of this one either.'))
    const index = await test.open()
    const listed = async () => JSON.parse(await index.call('lcm_describe', {})).sessions as object[]
    expect((await listed()).map((session) => 'messages' in session)).toEqual([false, false])
    await index.grep('nothing')
    expect(await listed()).toMatchObject([{ messages: 2 }, { messages: 2 }])
    await index.close()
  })

  it('follows a file that grows, line by line and in the middle of a line', async () => {
    using test = setup()
    const path = test.claude('one', long(['alpha', 'beta', 'gamma']))
    const index = await test.open()
    expect(await index.grep('alpha')).toHaveLength(1)
    for (let at = 0; at < 5; at++) {
      const lines = turnLines(`Then comes delta${at}.`)
      appendFileSync(path, lines.slice(0, 60))
      expect(await index.grep(`delta${at}`)).toHaveLength(0)
      appendFileSync(path, lines.slice(60))
      expect(await index.grep(`delta${at}`)).toHaveLength(1)
    }
    expect(await index.grep('Understood')).toHaveLength(8)
    const [{ session = '' } = {}] = await index.grep('alpha')
    const stored = await index.store.find({ key: session })
    const live = await stored?.messages({ limit: 100 })
    expect(live).toHaveLength(16)
    expect(index.failures).toEqual([])
    await index.close()
  })

  it('follows a session in the database of opencode, which grows, is taken back and is deleted', async () => {
    using test = setup()
    mkdirSync(join(test.home.home, '.local/share/opencode'), { recursive: true })
    const sql = new DatabaseSync(join(test.home.home, '.local/share/opencode/opencode.db'))
    sql.exec(`
      CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text, revert text, time_updated integer);
      CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text);
      CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
    `)
    let at = 0
    const say = (session: string, role: string, ...parts: object[]) => {
      const id = `msg_${String(++at).padStart(4, '0')}`
      sql.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, session, at, JSON.stringify({ role }))
      for (const [number, part] of parts.entries())
        sql
          .prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
          .run(`${id}_${number}`, id, session, JSON.stringify(part))
      sql.prepare('UPDATE session SET time_updated = ? WHERE id = ?').run(at, session)
    }
    const text = (text: string) => ({ type: 'text', text })
    const tool = (callID: string, output: string) => ({
      ...{ type: 'tool', tool: 'bash', callID },
      state: { status: 'completed', input: { command: 'ls' }, output },
    })
    for (const id of ['ses_one', 'ses_two', 'ses_three', 'ses_four', 'ses_five']) {
      sql.prepare("INSERT INTO session VALUES (?, NULL, '/work/shop', NULL, 0)").run(id)
      say(id, 'user', text(`The kumquat of ${id}.`))
    }
    const index = await test.open()
    expect(await index.grep('kumquat')).toHaveLength(5)
    for (let turn = 0; turn < 4; turn++) {
      const step = { type: 'step-start' }
      say('ses_one', 'user', text(`Look for lychee${turn}.`))
      say(
        'ses_one',
        'assistant',
        step,
        tool(`a${turn}`, `pomelo${turn}`),
        step,
        tool(`b${turn}`, `durian${turn}`),
      )
      expect(await index.grep(`pomelo${turn}`)).toHaveLength(1)
      // The answer goes on in the same message.
      const more = JSON.stringify(text(`Here is the mango${turn}.`))
      const id = `msg_${String(at).padStart(4, '0')}`
      sql.prepare('INSERT INTO part VALUES (?, ?, ?, ?)').run(`${id}_9`, id, 'ses_one', more)
      expect(await index.grep(`mango${turn}`)).toHaveLength(1)
    }
    const [{ session = '' } = {}] = await index.grep('lychee0')
    const stored = () => index.store.find({ key: session }).then((found) => found?.messages({ limit: 100 }))
    expect(await stored()).toHaveLength(1 + 4 * 5)
    sql.exec(`UPDATE session SET revert = '{"messageID":"msg_0009"}', time_updated = 99 WHERE id = 'ses_one'`)
    expect(await index.grep('lychee2')).toHaveLength(0)
    expect(await index.grep('lychee1')).toHaveLength(1)
    sql.exec(
      "DELETE FROM part WHERE session_id = 'ses_two'; DELETE FROM message WHERE session_id = 'ses_two'",
    )
    expect(await index.grep('kumquat')).toHaveLength(4)
    expect(index.failures).toEqual([])
    await index.close()
    sql.close()
    expect(readFileSync(join(test.home.home, 'recall/sessions.db')).includes('ses_two.')).toBe(false)
  })

  it('forgets what a file does not hold any more', async () => {
    using test = setup()
    const path = test.claude('one', long(['alpha', 'beta', 'gamma']))
    const other = test.claude('two', turnLines('Only kiwi here.'))
    const index = await test.open()
    expect(await index.grep('gamma')).toHaveLength(1)
    writeFileSync(path, long(['alpha', 'omega']))
    expect(await index.grep('gamma')).toHaveLength(0)
    expect(await index.grep('omega')).toHaveLength(1)
    const text = readFileSync(path, 'utf8')
    truncateSync(path, text.indexOf('\n', text.indexOf('Understood')) + 1)
    expect(await index.grep('omega')).toHaveLength(0)
    expect(await index.grep('alpha')).toHaveLength(1)
    expect(await index.grep('gamma', { include_replaced: undefined })).toHaveLength(0)
    rmSync(other)
    expect(await index.grep('kiwi')).toHaveLength(0)
    await index.close()
    const bytes = readFileSync(join(test.home.home, 'recall/sessions.db')).toString('latin1')
    expect(bytes).not.toContain('gamma')
    expect(bytes).not.toContain('kiwi')
  })

  it('does not find earlier searches and their answers', async () => {
    using test = setup()
    const name = 'mcp__palimpsest__lcm_grep'
    const call = { type: 'tool_use', id: 't1', name, input: { query: 'persimmon' } }
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'The persimmon is ripe.' }
    const lines = [
      { type: 'assistant', message: { id: 'm', role: 'assistant', content: [call] } },
      { type: 'user', message: { role: 'user', content: [result] } },
    ]
    const text = lines.map((line) => `${JSON.stringify({ cwd: '/work/shop', ...line })}\n`).join('')
    test.claude('one', turnLines('The persimmon is ripe.') + text + turnLines('Thanks.'))
    const index = await test.open()
    expect((await index.grep('persimmon')).map(({ text }) => text)).toEqual([
      'm0 user: The persimmon is ripe.',
    ])
    expect(await index.grep('answer of recall')).toHaveLength(1)
    await index.close()
  })

  it('reads no file of another user, also behind a link', async () => {
    using test = setup()
    test.claude('one', turnLines('My own lemon.'))
    const own = process.getuid?.()
    // The user of the test is the administrator, who can give a file away, or is not, and has a file of theirs at hand.
    let foreign = '/etc/hosts'
    if (own === 0) {
      foreign = test.home.write('elsewhere/foreign.jsonl', turnLines('A foreign lemon.'))
      chownSync(foreign, 12_345, 12_345)
    }
    symlinkSync(foreign, join(test.home.home, '.claude/projects/-work-shop/linked.jsonl'))
    const index = await test.open('all')
    const found = await index.grep('lemon')
    expect(found.map(({ text }) => text).join()).not.toContain('foreign')
    expect(JSON.parse(await index.call('lcm_describe', {}))).toMatchObject({ messages: 2 })
    await index.close()
  })

  it('says which session asks: the one that is named, else the newest', async () => {
    using test = setup()
    test.claude('11111111-aaaa', turnLines('The newest fig.'))
    test.claude('22222222-bbbb', turnLines('The older fig.'))
    const newest = await test.open('session')
    expect((await newest.grep('fig')).map(({ text }) => text)).toEqual(['m0 user: The newest fig.'])
    await newest.close()
    const named = await test.open('session', '22222222-bbbb')
    expect((await named.grep('fig')).map(({ text }) => text)).toEqual(['m0 user: The older fig.'])
    await named.close()
  })

  it('lets two processes read the same files at once', async () => {
    using test = setup()
    const path = test.claude('one', long(Array.from({ length: 300 }, (_, at) => `word${at}`)))
    for (let at = 0; at < 6; at++) test.claude(`s${at}`, long([`other${at}`, `more${at}`]))
    const [a, b] = [await test.open(), await test.open()]
    const other = test.start()
    await Promise.all([a.catchUp(), b.catchUp(), a.grep('word299'), b.grep('other3')])
    appendFileSync(path, turnLines('The last durian.'))
    const found = await Promise.all([a.grep('durian'), b.grep('durian')])
    expect(found.map((hits) => hits.length)).toEqual([1, 1])
    expect(await b.grep('word150')).toHaveLength(1)
    const [{ session = '' } = {}] = await a.grep('durian')
    expect(await (await a.store.find({ key: session }))?.messages({ limit: 1_000 })).toHaveLength(602)
    expect([...a.failures, ...b.failures]).toEqual([])
    other.stdin.end()
    await new Promise((resolve) => other.once('close', resolve))
    expect(other.exitCode).toBe(0)
    expect(await a.store.verify()).toEqual([])
    await a.close()
    await b.close()
  })

  it.each(['garbage of some length', 'SQLite format 3\0'.padEnd(8_192, 'x')])(
    'loses nothing when the file beside its store is damaged: %#',
    async (damage) => {
      using test = setup()
      test.claude('one', long(['alpha']))
      const index = await test.open()
      await index.catchUp()
      await index.close()
      const path = join(test.home.home, 'recall/files.db')
      writeFileSync(path, damage)
      const again = await test.open()
      expect(await again.grep('alpha')).toHaveLength(1)
      expect(await storedMessages(again.store)).toBe(2)
      await again.close()
    },
  )

  it('goes on after it was killed', async () => {
    using test = setup()
    for (let at = 0; at < 8; at++)
      test.claude(`s${at}`, long(Array.from({ length: 400 }, (_, word) => `word${at}x${word}`)))
    const written = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0
    const log = join(test.home.home, 'recall/sessions.db-wal')
    for (const bytes of [100_000, 1_500_000]) {
      const child = test.start()
      await expect.poll(written, { interval: 5 }).toBeGreaterThan(bytes)
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('close', resolve))
    }
    const half = await test.open()
    const messages = await storedMessages(half.store)
    expect(messages).toBeGreaterThan(0)
    expect(messages).toBeLessThan(8 * 800)
    await half.close()
    const index = await test.open()
    await index.catchUp()
    expect(await index.store.verify()).toEqual([])
    for (let at = 0; at < 8; at++) expect(await index.grep(`word${at}x399`)).toHaveLength(1)
    expect(await storedMessages(index.store)).toBe(8 * 800)
    await index.close()
  })
})

async function storedMessages(store: Store): Promise<number> {
  return (await store.list({ limit: 99 })).reduce((sum, { messages }) => sum + messages, 0)
}
